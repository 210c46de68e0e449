package io.pilothouse.store;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.service.BackupConfiguration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Backups as rows, owned by their service, which they may outlive. */
final class BackupRows implements Rows<Backup> {
    @Override
    public Kind<Backup> kind() {
        return Backup.KIND;
    }

    @Override
    public @Nullable String reference(Backup row) {
        return null;
    }

    /** Finished ones are found by their organization. */
    @Override
    public @Nullable String label(Backup row) {
        return row.state() == Backup.State.DONE ? row.organizationId().toString() : null;
    }

    @Override
    public void write(Backup row, DocumentOut document) {
        document.text("organizationId", row.organizationId())
                .text("trigger", row.trigger().name())
                .text("region", row.region())
                .text("tier", row.tier())
                .number("retentionHours", row.retentionHours())
                .text("state", row.state().name())
                .text("endedAt", row.endedAt())
                .text("sizeInBytes", Long.toString(row.sizeInBytes()))
                .text("trouble", row.trouble())
                .texts("restoring", row.restoring().stream().map(UUID::toString).toList());
    }

    @Override
    public Backup read(Head head, DocumentIn document) {
        return new Backup(
                head.id(),
                head.ownerId(),
                document.id("organizationId", head.ownerId()),
                head.createdAt(),
                head.version(),
                document.choice("trigger", Backup.Trigger.DEMAND),
                document.text("region", ""),
                document.textOrNull("tier"),
                document.number("retentionHours", BackupConfiguration.STANDARD.retentionHours()),
                document.choice("state", Backup.State.FAILED),
                document.instantOrNull("endedAt"),
                Long.parseLong(document.text("sizeInBytes", "0")),
                document.textOrNull("trouble"),
                document.texts("restoring").stream().map(UUID::fromString).toList());
    }

    @Override
    public Backup withVersion(Backup row, long version) {
        return new Backup(
                row.id(),
                row.serviceId(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.trigger(),
                row.region(),
                row.tier(),
                row.retentionHours(),
                row.state(),
                row.endedAt(),
                row.sizeInBytes(),
                row.trouble(),
                row.restoring());
    }
}
