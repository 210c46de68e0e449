package io.pilothouse.core.domain;

import org.jspecify.annotations.Nullable;

/**
 * When a service is backed up and for how long its backups are kept at least. {@code startTime} is a time of day in UTC
 * as it was written, such as {@code 2:00}; where it is given, the period is a day.
 */
public record BackupConfiguration(
        int periodHours, int retentionHours, @Nullable String startTime) {
    public static final BackupConfiguration STANDARD = new BackupConfiguration(24, 24, null);
}
