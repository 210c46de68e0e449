package io.pilothouse.core.backup;

import java.time.Duration;
import java.time.Instant;

/** A backup as a client sees it at a moment: one that is under way takes longer with every look. */
public record BackupView(Backup backup, long durationInSeconds) {

    public static BackupView of(Backup backup, Instant now) {
        Instant end = backup.endedAt() == null ? now : backup.endedAt();
        return new BackupView(
                backup, Math.max(0, Duration.between(backup.createdAt(), end).toSeconds()));
    }
}
