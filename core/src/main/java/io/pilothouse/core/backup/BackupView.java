package io.pilothouse.core.backup;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A backup as a client sees it at a moment: one that is under way takes longer with every look. */
public record BackupView(Backup backup, long durationInSeconds, Tree.@Nullable Members bucket) {

    static BackupView of(Tables tables, Backup backup, Instant now) {
        return of(
                backup,
                Optional.ofNullable(backup.bucketId())
                        .flatMap(tables.of(BackupBucket.KIND)::find)
                        .map(BackupBucket::fields)
                        .orElse(null),
                now);
    }

    static BackupView of(Backup backup, Tree.@Nullable Members bucket, Instant now) {
        Instant end = backup.endedAt() == null ? now : backup.endedAt();
        return new BackupView(
                backup, Math.max(0, Duration.between(backup.createdAt(), end).toSeconds()), bucket);
    }
}
