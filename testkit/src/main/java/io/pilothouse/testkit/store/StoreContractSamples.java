package io.pilothouse.testkit.store;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.Changes;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.backup.BackupProof;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFields;
import io.pilothouse.core.service.Warehouse;
import io.pilothouse.core.service.Wish;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Rows for the store's contract: of each kind one with everything that can be said, and one with nothing that can be left out. */
final class StoreContractSamples {
    static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456789Z");

    private StoreContractSamples() {}

    static Organization organization() {
        UUID id = UUID.randomUUID();
        return new Organization(
                Head.own(id, NOW),
                "Größe & \"Quotes\" 🚢",
                OrganizationTier.ENTERPRISE,
                true,
                true,
                List.of(
                        new PrivateEndpoint("vpce-1", "first", "aws", "us-east-1", true),
                        new PrivateEndpoint("vpce-2", null, null, null, false)),
                List.of(Organization.Byoc.named("byoc-1", "account")));
    }

    static Organization bareOrganization() {
        return new Organization(
                Head.own(UUID.randomUUID(), NOW), "", OrganizationTier.BASIC, false, false, List.of(), List.of());
    }

    static Service service(UUID organizationId, Instant createdAt, UUID warehouseId) {
        return new Service(
                Head.of(UUID.randomUUID(), organizationId, createdAt),
                new Service.Fixed(
                        new Placement("aws", "eu-central-1", "production", "byoc-1", "v1-default", "hipaa"),
                        new Warehouse(warehouseId, false, true),
                        new BackupOrigin(new UUID(3, 4), new UUID(5, 6))),
                new Service.Details(
                        "orders",
                        new Encryption("arn:key", "arn:role", true, "arn:transparent"),
                        "fast",
                        List.of(new Tag("team", "sales"), new Tag("lonely", null)),
                        ServiceFields.DEFAULTS.with("enableCoreDumps", new Tree.Flag(true))),
                new Scaling(8, 24, 3, new Scaling.Band(2, 9), true, 15),
                new Access(
                        List.of(new IpAccessEntry("10.0.0.0/8", "office"), new IpAccessEntry("::/0", null)),
                        List.of("vpce-1", "vpce-2"),
                        true),
                new PasswordHashes("ab".repeat(32), "cd".repeat(20)),
                new BackupConfiguration(24, 48, "2:00"),
                new Service.Want(
                        Wish.SLEEP,
                        createdAt.plusNanos(1),
                        true,
                        new Scaling(16, 32, 3, new Scaling.Band(3, 4), true, 15),
                        new Service.Schedule(Tree.Members.NONE.with("entries", new Tree.Items(List.of())), 2),
                        List.of(new Service.Setting("max_threads", "4", "auto")),
                        new Service.Pin("26.7.3", "26.5.3", createdAt.plusNanos(3), "26.9.1")),
                new Seen(
                        Condition.BROKEN,
                        true,
                        "25.8.1.1",
                        List.of(),
                        "It does not start.",
                        createdAt.plusNanos(2),
                        "It waits."));
    }

    static Service service(UUID organizationId) {
        return service(organizationId, NOW, UUID.randomUUID());
    }

    static Service bareService(UUID organizationId) {
        UUID id = UUID.randomUUID();
        return new Service(
                Head.of(id, organizationId, NOW),
                new Service.Fixed(
                        new Placement("gcp", "us-central1", null, null, null, null),
                        new Warehouse(id, true, false),
                        null),
                new Service.Details(
                        "bare", new Encryption(null, null, false, null), "default", List.of(), ServiceFields.DEFAULTS),
                new Scaling(8, 8, 1, null, false, 5),
                new Access(List.of(), List.of(), false),
                new PasswordHashes("", ""),
                BackupConfiguration.STANDARD,
                Service.Want.run(NOW),
                Seen.nothingYet(NOW));
    }

    static ApiKey key(UUID organizationId, String keyIdHash) {
        return new ApiKey(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                "automation",
                true,
                new AssignedRoles(List.of(Role.ADMIN, Role.QUERY_ENDPOINTS), List.of(new UUID(11, 12))),
                "wxyz",
                keyIdHash,
                "secret hash",
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                NOW.minusNanos(1),
                List.of(new IpAccessEntry("192.0.2.1", "runner")));
    }

    static ApiKey bareKey(UUID organizationId, String keyIdHash) {
        return new ApiKey(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                "",
                false,
                AssignedRoles.NONE,
                "",
                keyIdHash,
                "",
                null,
                null,
                List.of());
    }

    static AlertsToken token(UUID organizationId, String tokenHash) {
        return new AlertsToken(
                Head.of(UUID.randomUUID(), organizationId, NOW), "pager", "cdef", tokenHash, NOW.plusNanos(7));
    }

    static AlertsToken bareToken(UUID organizationId, String tokenHash) {
        return new AlertsToken(Head.of(UUID.randomUUID(), organizationId, NOW), "", "", tokenHash, null);
    }

    static Activity activity(UUID organizationId, Instant createdAt, UUID serviceId) {
        return new Activity(
                Head.of(UUID.randomUUID(), organizationId, createdAt),
                "service_create",
                "user",
                UUID.randomUUID(),
                "key wxyz",
                UUID.randomUUID(),
                serviceId,
                UUID.randomUUID(),
                new Client(InetAddress.ofLiteral("192.0.2.1"), "curl/8"),
                new Refusal(Refusal.Cause.ADDRESS, "instanceGet", 1L << 40, NOW),
                new Changes(
                        Permission.SERVICE_READ,
                        List.of(
                                new FieldChange("name", new Tree.Text("a"), new Tree.Text("b")),
                                new FieldChange("tags", null, new Tree.Items(List.of(new Tree.Flag(true)))),
                                new FieldChange("idleTimeoutMinutes", new Tree.Figure(5), null))));
    }

    static Backup backup(UUID serviceId) {
        return new Backup(
                Head.of(UUID.randomUUID(), serviceId, NOW),
                UUID.randomUUID(),
                Backup.Trigger.SCHEDULE,
                "eu-central-1",
                "production",
                48,
                Backup.State.LEAVING,
                NOW.plusNanos(3),
                new Archive(Long.MAX_VALUE, "5e"),
                "It was not finished.",
                List.of(new UUID(7, 8), new UUID(9, 10)),
                new UUID(11, 12),
                new BackupProof(NOW.plusNanos(5), BackupProof.Outcome.DAMAGED, 3, 1L << 40, "Two parts differ."));
    }

    static BackupBucket backupBucket(UUID serviceId) {
        return new BackupBucket(
                Head.of(UUID.randomUUID(), serviceId, NOW),
                UUID.randomUUID(),
                true,
                Tree.Members.NONE.with("bucketProvider", new Tree.Text("AWS")),
                "v1.sealed");
    }

    static BackupBucket bareBackupBucket(UUID serviceId) {
        return new BackupBucket(Head.of(UUID.randomUUID(), serviceId, NOW), serviceId, false, Tree.Members.NONE, null);
    }

    static Backup bareBackup(UUID serviceId) {
        return Backup.of(bareService(serviceId), UUID.randomUUID(), Backup.Trigger.DEMAND, NOW);
    }

    static Activity bareActivity(UUID organizationId) {
        return new Activity(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                "service_running",
                "system",
                null,
                null,
                null,
                null,
                null);
    }
}
