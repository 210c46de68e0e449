package io.pilothouse.core.service;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * When a service is backed up and for how long its backups are kept at least. {@code startTime} is a time of day in UTC
 * as it was written, such as {@code 2:00}; where it is given, the period is a day.
 */
public record BackupConfiguration(
        int periodHours, int retentionHours, @Nullable String startTime) {
    public static final BackupConfiguration STANDARD = new BackupConfiguration(24, 24, null);

    /** When the next backup is due after one (or the service itself) that began then. */
    public Instant nextAfter(Instant last) {
        if (startTime == null) {
            return last.plus(Duration.ofHours(periodHours));
        }
        int colon = startTime.indexOf(':');
        LocalTime time = LocalTime.of(
                Integer.parseInt(startTime.substring(0, colon)), Integer.parseInt(startTime.substring(colon + 1)));
        OffsetDateTime from = last.atOffset(ZoneOffset.UTC);
        OffsetDateTime today = from.with(time);
        return (today.isAfter(from) ? today : today.plusDays(1)).toInstant();
    }
}
