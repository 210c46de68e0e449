package io.pilothouse.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupProof;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyView;
import io.pilothouse.core.key.NewApiKey;
import io.pilothouse.core.organization.NewOrganization;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.NewService;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFields;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.core.service.Warehouse;
import io.pilothouse.http.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResourceJsonTest {
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final UUID ID = UUID.fromString("11111111-2222-4333-8444-555555555555");
    private static final UUID ORGANIZATION = UUID.fromString("22222222-2222-4333-8444-555555555555");
    private static final UUID WAREHOUSE = UUID.fromString("33333333-2222-4333-8444-555555555555");

    private static String json(JsonWriter.Part part) {
        return new String(JsonWriter.document(part), StandardCharsets.UTF_8);
    }

    private static Service service(
            Placement placement, Scaling scaling, Encryption encryption, Access access, Seen seen, List<Tag> tags) {
        return new Service(
                new Head(ID, ORGANIZATION, THEN, 3),
                new Service.Fixed(placement, new Warehouse(WAREHOUSE, true, false), null),
                new Service.Details("My service", encryption, "default", tags, ServiceFields.DEFAULTS),
                scaling,
                access,
                new PasswordHashes("never-shown-256", "never-shown-sha1"),
                BackupConfiguration.STANDARD,
                Service.Want.run(THEN),
                seen);
    }

    private static Scaling scaling(Scaling.@Nullable Band band) {
        return new Scaling(8, 120, 3, band, true, 15);
    }

    @Test
    void aPlainServiceShowsWhatAlwaysHasAValue() {
        Service service = service(
                new Placement("aws", "us-east-1", null, null, null, null),
                scaling(null),
                new Encryption(null, null, false, null),
                new Access(List.of(), List.of(), false),
                Seen.nothingYet(THEN),
                List.of());
        assertThat(json(out -> ServiceJson.write(out, new ServiceView(service, List.of(), List.of()))))
                .isEqualTo(
                        "{\"id\":\"" + ID + "\",\"name\":\"My service\",\"provider\":\"aws\",\"region\":\"us-east-1\","
                                + "\"state\":\"provisioning\",\"endpoints\":[],\"minTotalMemoryGb\":24,"
                                + "\"maxTotalMemoryGb\":360,\"minReplicaMemoryGb\":8,\"maxReplicaMemoryGb\":120,"
                                + "\"numReplicas\":3,\"autoscalingMode\":\"vertical\",\"currentScaling\":{"
                                + "\"effectiveAutoscalingMode\":\"vertical\",\"effectiveMinReplicaMemoryGb\":8,"
                                + "\"effectiveMaxReplicaMemoryGb\":120,\"effectiveMinReplicas\":3,\"effectiveMaxReplicas\":3,"
                                + "\"effectiveIdleScaling\":true,\"effectiveIdleTimeoutMinutes\":15},\"idleScaling\":true,"
                                + "\"idleTimeoutMinutes\":15,\"ipAccessList\":[],\"createdAt\":\"2026-01-02T03:04:05Z\","
                                + "\"iamRole\":\"" + service.iamRole() + "\",\"privateEndpointIds\":[],"
                                + "\"availablePrivateEndpointIds\":[],\"dataWarehouseId\":\"" + WAREHOUSE + "\","
                                + "\"isPrimary\":true,\"isReadonly\":false,\"releaseChannel\":\"default\","
                                + "\"hasTransparentDataEncryption\":false,\"tags\":[],\"enableCoreDumps\":false}");
    }

    @Test
    void aServiceWithEverythingShowsEverything() {
        Service service = service(
                new Placement("gcp", "us-east1", "production", "byoc-1", "v1-default", "hipaa"),
                scaling(new Scaling.Band(2, 5)),
                new Encryption("key", "role", true, "tde-key"),
                new Access(
                        List.of(new IpAccessEntry("0.0.0.0/0", "all"), new IpAccessEntry("::1", null)),
                        List.of("pe-1"),
                        true),
                new Seen(Condition.RUNNING, true, "25.8.1", null, THEN),
                List.of(new Tag("team", "search"), new Tag("nightly", null)));
        ServiceView view = new ServiceView(
                service, List.of(new Endpoint("https", "host", 8443, "default")), List.of("pe-1", "pe-2"));
        String json = json(out -> ServiceJson.writeNew(out, new NewService(view, "the-password")));
        assertThat(json)
                .startsWith("{\"service\":{")
                .endsWith("},\"password\":\"the-password\"}")
                .contains(
                        "\"state\":\"running\",\"dbVersion\":\"25.8.1\",\"clickhouseVersion\":\"25.8.1\",\"tier\":\"production\"",
                        "\"endpoints\":[{\"protocol\":\"https\",\"host\":\"host\",\"port\":8443,\"username\":\"default\"}]",
                        "\"minReplicas\":2,\"maxReplicas\":5,\"replicaMemoryGb\":8,\"autoscalingMode\":\"horizontal\"",
                        "\"effectiveMinReplicas\":2,\"effectiveMaxReplicas\":5",
                        "\"ipAccessList\":[{\"source\":\"0.0.0.0/0\",\"description\":\"all\"},{\"source\":\"::1\"}]",
                        "\"encryptionKey\":\"key\",\"encryptionAssumedRoleIdentifier\":\"role\"",
                        "\"privateEndpointIds\":[\"pe-1\"],\"availablePrivateEndpointIds\":[\"pe-1\",\"pe-2\"]",
                        "\"byocId\":\"byoc-1\",\"hasTransparentDataEncryption\":true,"
                                + "\"transparentDataEncryptionKeyId\":\"tde-key\"",
                        "\"encryptionRoleId\":\"" + service.encryptionRoleId() + "\"",
                        "\"profile\":\"v1-default\",\"complianceType\":\"hipaa\"",
                        "\"tags\":[{\"key\":\"team\",\"value\":\"search\"},{\"key\":\"nightly\"}]")
                .doesNotContain("never-shown");
    }

    @Test
    void anOrganizationShowsItsEndpointsAndSetups() {
        Organization organization = new Organization(
                new Head(ID, ID, THEN, 1),
                "Acme",
                OrganizationTier.SCALE,
                true,
                false,
                List.of(
                        new PrivateEndpoint("pe-1", null, null, null, false),
                        new PrivateEndpoint("pe-2", "two", "aws", "us-east-1", true)),
                List.of(Organization.Byoc.named("byoc-1", "account")));
        String expected = "{\"id\":\"" + ID + "\",\"createdAt\":\"2026-01-02T03:04:05Z\",\"name\":\"Acme\","
                + "\"privateEndpoints\":[{\"id\":\"pe-1\"},{\"id\":\"pe-2\",\"description\":\"two\","
                + "\"cloudProvider\":\"aws\",\"region\":\"us-east-1\"}],"
                + "\"byocConfig\":[{\"id\":\"byoc-1\",\"accountName\":\"account\"}],\"tier\":\"SCALE\","
                + "\"paid\":true,\"enableCoreDumps\":false}";
        assertThat(json(out -> OrganizationJson.write(out, organization))).isEqualTo(expected);
        NewOrganization made =
                new NewOrganization(organization, new ApiKeyCreated(key(null, null), "the-id", "the-secret"));
        assertThat(json(out -> OrganizationJson.writeNew(out, made)))
                .isEqualTo("{\"organization\":" + expected
                        + ",\"key\":{\"keyId\":\"the-id\",\"keySecret\":\"the-secret\"}}");
    }

    private static ApiKey key(@Nullable Instant expireAt, @Nullable Instant usedAt) {
        return new ApiKey(
                new Head(ID, ORGANIZATION, THEN, 1),
                "CI",
                expireAt == null,
                AssignedRoles.of(List.of(Role.ADMIN, Role.QUERY_ENDPOINTS)),
                "wxyz",
                "never-shown-id-hash",
                "never-shown-secret-hash",
                expireAt,
                usedAt,
                List.of(new IpAccessEntry("10.0.0.0/8", null)));
    }

    private static ApiKeyView view(@Nullable Instant expireAt, @Nullable Instant usedAt) {
        return new ApiKeyView(
                key(expireAt, usedAt),
                List.of(
                        new Roles.Assigned(Role.ADMIN.id(), "Admin", true),
                        new Roles.Assigned(Role.QUERY_ENDPOINTS.id(), "Reader", true),
                        new Roles.Assigned(ID, "Ours", false)));
    }

    @Test
    void aKeyShowsNoHash() {
        String head = "{\"id\":\"" + ID + "\",\"name\":\"CI\",\"state\":";
        String middle = "\"roles\":[\"admin\",\"query_endpoints\"],\"assignedRoles\":["
                + "{\"roleId\":\"9c7e1fbf-b5e0-32ec-bc56-df20550f7182\",\"roleName\":\"Admin\",\"roleType\":\"system\"},"
                + "{\"roleId\":\"0f910427-ff26-3e93-b9dc-78e7d0429ee7\",\"roleName\":\"Reader\",\"roleType\":\"system\"},"
                + "{\"roleId\":\"" + ID + "\",\"roleName\":\"Ours\",\"roleType\":\"custom\"}],"
                + "\"keySuffix\":\"wxyz\",\"createdAt\":\"2026-01-02T03:04:05Z\",";
        String tail = "\"ipAccessList\":[{\"source\":\"10.0.0.0/8\"}]}";
        assertThat(json(out -> ApiKeyJson.write(out, view(null, null))))
                .isEqualTo(head + "\"enabled\"," + middle + tail);
        assertThat(json(out -> ApiKeyJson.write(out, view(THEN, THEN))))
                .isEqualTo(head + "\"disabled\"," + middle
                        + "\"expireAt\":\"2026-01-02T03:04:05Z\",\"usedAt\":\"2026-01-02T03:04:05Z\"," + tail);
    }

    @Test
    void aKeyWhoseHashesWereBroughtHasNoSecretToShow() {
        assertThat(json(out -> ApiKeyJson.writeNew(out, new NewApiKey(view(null, null), null, null))))
                .startsWith("{\"key\":{")
                .doesNotContain("keySecret", "\"keyId\"");
        assertThat(json(out -> ApiKeyJson.writeNew(out, new NewApiKey(view(null, null), "the-id", "the-secret"))))
                .endsWith(",\"keyId\":\"the-id\",\"keySecret\":\"the-secret\"}");
    }

    @Test
    void anActivityNamesItsKeyWhenItIsAboutOne() {
        Activity update = new Activity(
                Head.of(ID, ORGANIZATION, THEN), "openapi_key_update", "api", ID, "CI", WAREHOUSE, null, ID);
        assertThat(json(out -> ActivityJson.write(out, update)))
                .isEqualTo("{\"id\":\"" + ID + "\",\"createdAt\":\"2026-01-02T03:04:05Z\","
                        + "\"type\":\"openapi_key_update\",\"actorType\":\"api\",\"actorId\":\"" + ID
                        + "\",\"actorDetails\":\"CI\",\"organizationId\":\"" + ORGANIZATION + "\",\"subjectId\":\"" + ID
                        + "\",\"requestId\":\"" + WAREHOUSE + "\",\"targetKeyId\":\"" + ID + "\"}");
        Activity bySystem = new Activity(
                Head.of(ID, ORGANIZATION, THEN), "service_running", "system", null, null, null, WAREHOUSE, null);
        assertThat(json(out -> ActivityJson.write(out, bySystem)))
                .contains("\"actorType\":\"system\"", "\"serviceId\":\"" + WAREHOUSE + "\"")
                .doesNotContain("actorId", "targetKeyId", "requestId");
    }

    @Test
    void aBackupSaysWhetherItWasProven() {
        Backup done = Backup.of(
                        service(
                                new Placement("aws", "us-east-1", null, null, null, null),
                                scaling(null),
                                new Encryption(null, null, false, null),
                                new Access(List.of(), List.of(), false),
                                Seen.nothingYet(THEN),
                                List.of()),
                        ID,
                        Backup.Trigger.DEMAND,
                        THEN)
                .done(Archive.of(7), THEN);
        assertThat(backup(done)).doesNotContain("proof");
        assertThat(backup(done.proven(new BackupProof(THEN, Outcome.RESTORABLE, 3, 40, null))))
                .contains(
                        "\"proof\":{\"status\":\"restorable\",\"provenAt\":\"2026-01-02T03:04:05Z\",\"parts\":3,\"rows\":40}");
        assertThat(backup(done.proven(new BackupProof(THEN, Outcome.DAMAGED, 0, 0, "A part differs."))))
                .contains(
                        "\"proof\":{\"status\":\"damaged\",\"provenAt\":\"2026-01-02T03:04:05Z\",\"problem\":\"A part differs.\"}");
    }

    private static String backup(Backup backup) {
        return json(out -> BackupJson.write(out, new BackupView(backup, 1, null)));
    }
}
