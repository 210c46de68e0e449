package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Scaling;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Warehouse;
import io.pilothouse.core.service.Wish;
import org.jspecify.annotations.Nullable;

/** Services as rows, found by the warehouse they are in. */
final class ServiceRows implements Rows<Service> {
    @Override
    public Kind<Service> kind() {
        return Service.KIND;
    }

    @Override
    public String reference(Service row) {
        return row.warehouse().id().toString();
    }

    @Override
    public String label(Service row) {
        return row.label().text();
    }

    @Override
    public void write(Service row, DocumentOut document) {
        document.text("name", row.name())
                .object("placement", out -> write(row.placement(), out))
                .object("scaling", out -> write(row.scaling(), out))
                .object("warehouse", out -> write(row.warehouse(), out))
                .object("access", out -> write(row.access(), out))
                .object("encryption", out -> write(row.encryption(), out))
                .text("releaseChannel", row.releaseChannel())
                .list(
                        "tags",
                        row.tags(),
                        (tag, out) -> out.text("key", tag.key()).text("value", tag.value()))
                .flag("enableCoreDumps", row.enableCoreDumps())
                .object(
                        "password",
                        out -> out.text("sha256", row.password().sha256())
                                .text("doubleSha1", row.password().doubleSha1()))
                .object("backups", out -> write(row.backups(), out))
                .text("wish", row.wish())
                .text("wishedAt", row.wishedAt())
                .flag("awaking", row.awaking())
                .object("seen", out -> write(row.seen(), out));
        BackupOrigin origin = row.origin();
        if (origin != null) {
            document.object(
                    "origin", out -> out.text("serviceId", origin.serviceId()).text("backupId", origin.backupId()));
        }
    }

    private static void write(Placement placement, DocumentOut out) {
        out.text("provider", placement.provider())
                .text("region", placement.region())
                .text("tier", placement.tier())
                .text("byocId", placement.byocId())
                .text("profile", placement.profile())
                .text("complianceType", placement.complianceType());
    }

    private static void write(Scaling scaling, DocumentOut out) {
        out.number("minReplicaMemoryGb", scaling.minReplicaMemoryGb())
                .number("maxReplicaMemoryGb", scaling.maxReplicaMemoryGb())
                .number("numReplicas", scaling.numReplicas())
                .flag("idleScaling", scaling.idleScaling())
                .number("idleTimeoutMinutes", scaling.idleTimeoutMinutes());
        Scaling.Band band = scaling.band();
        if (band != null) {
            out.object(
                    "band",
                    inner -> inner.number("minReplicas", band.minReplicas()).number("maxReplicas", band.maxReplicas()));
        }
    }

    private static void write(Warehouse warehouse, DocumentOut out) {
        out.text("id", warehouse.id()).flag("primary", warehouse.primary()).flag("readonly", warehouse.readonly());
    }

    private static void write(Access access, DocumentOut out) {
        IpAccess.write(access.ipAccessList(), out);
        out.texts("privateEndpointIds", access.privateEndpointIds()).flag("mysql", access.mysql());
    }

    private static void write(Encryption encryption, DocumentOut out) {
        out.text("key", encryption.key())
                .text("assumedRoleIdentifier", encryption.assumedRoleIdentifier())
                .flag("transparent", encryption.transparent())
                .text("transparentKeyId", encryption.transparentKeyId());
    }

    private static void write(BackupConfiguration backups, DocumentOut out) {
        out.number("periodHours", backups.periodHours())
                .number("retentionHours", backups.retentionHours())
                .text("startTime", backups.startTime());
    }

    private static void write(Seen seen, DocumentOut out) {
        out.text("condition", seen.condition())
                .flag("everRan", seen.everRan())
                .text("dbVersion", seen.dbVersion())
                .text("trouble", seen.trouble())
                .text("since", seen.since());
    }

    @Override
    public Service read(Head head, DocumentIn document) {
        DocumentIn warehouse = document.object("warehouse");
        DocumentIn access = document.object("access");
        DocumentIn password = document.object("password");
        return new Service(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                head.version(),
                document.text("name", ""),
                placement(document.object("placement")),
                scaling(document.object("scaling")),
                new Warehouse(warehouse.id("id", head.id()), warehouse.flag("primary"), warehouse.flag("readonly")),
                new Access(IpAccess.read(access), access.texts("privateEndpointIds"), access.flag("mysql")),
                encryption(document.object("encryption")),
                document.text("releaseChannel", "default"),
                document.list("tags", in -> new Tag(in.text("key", ""), in.textOrNull("value"))),
                document.flag("enableCoreDumps"),
                new PasswordHashes(password.text("sha256", ""), password.text("doubleSha1", "")),
                origin(document.objectOrNull("origin"), head),
                backups(document.object("backups")),
                document.choice("wish", Wish.RUN),
                document.instant("wishedAt", head.createdAt()),
                document.flag("awaking"),
                seen(document.object("seen"), head));
    }

    private static Placement placement(DocumentIn in) {
        return new Placement(
                in.text("provider", ""),
                in.text("region", ""),
                in.textOrNull("tier"),
                in.textOrNull("byocId"),
                in.textOrNull("profile"),
                in.textOrNull("complianceType"));
    }

    private static Scaling scaling(DocumentIn in) {
        return new Scaling(
                in.number("minReplicaMemoryGb", 0),
                in.number("maxReplicaMemoryGb", 0),
                in.number("numReplicas", 1),
                band(in.objectOrNull("band")),
                in.flag("idleScaling"),
                in.number("idleTimeoutMinutes", 0));
    }

    private static Scaling.@Nullable Band band(@Nullable DocumentIn in) {
        return in == null ? null : new Scaling.Band(in.number("minReplicas", 1), in.number("maxReplicas", 1));
    }

    private static Encryption encryption(DocumentIn in) {
        return new Encryption(
                in.textOrNull("key"),
                in.textOrNull("assumedRoleIdentifier"),
                in.flag("transparent"),
                in.textOrNull("transparentKeyId"));
    }

    private static @Nullable BackupOrigin origin(@Nullable DocumentIn in, Head head) {
        return in == null ? null : new BackupOrigin(in.id("serviceId", head.id()), in.id("backupId", head.id()));
    }

    private static BackupConfiguration backups(DocumentIn in) {
        BackupConfiguration fallback = BackupConfiguration.STANDARD;
        return new BackupConfiguration(
                in.number("periodHours", fallback.periodHours()),
                in.number("retentionHours", fallback.retentionHours()),
                in.textOrNull("startTime"));
    }

    private static Seen seen(DocumentIn in, Head head) {
        return new Seen(
                in.choice("condition", Condition.UNKNOWN),
                in.flag("everRan"),
                in.textOrNull("dbVersion"),
                in.textOrNull("trouble"),
                in.instant("since", head.createdAt()));
    }

    @Override
    public Service withVersion(Service row, long version) {
        return new Service(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.name(),
                row.placement(),
                row.scaling(),
                row.warehouse(),
                row.access(),
                row.encryption(),
                row.releaseChannel(),
                row.tags(),
                row.enableCoreDumps(),
                row.password(),
                row.origin(),
                row.backups(),
                row.wish(),
                row.wishedAt(),
                row.awaking(),
                row.seen());
    }
}
