package io.pilothouse.core.backup;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.service.BackupConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A change to when a service is backed up, as it was read: what is not given stays, and what is given as null goes back
 * to its default.
 */
public record BackupChange(Part<Double> periodInHours, Part<Double> retentionInHours, Part<String> startTime) {
    private static final int HOURS_OF_A_DAY = 24;

    /** A member of a request: whether it was there, and its value, which may be null. */
    public record Part<T>(boolean given, @Nullable T value) {
        public static <T> Part<T> absent() {
            return new Part<>(false, null);
        }

        public static <T> Part<T> of(@Nullable T value) {
            return new Part<>(true, value);
        }
    }

    /** Makes the checks that need no service. */
    public void check(Faults faults) {
        RuleBook.BACKUP_PERIOD_HOURS.check("backupPeriodInHours", periodInHours.value(), faults);
        RuleBook.BACKUP_RETENTION_HOURS.check("backupRetentionPeriodInHours", retentionInHours.value(), faults);
        RuleBook.BACKUP_START_TIME.check("backupStartTime", startTime.value(), faults);
    }

    /** Applies a checked change to a configuration; a start time goes with a period of a day and no other. */
    public BackupConfiguration on(BackupConfiguration current, Faults faults) {
        BackupConfiguration standard = BackupConfiguration.STANDARD;
        String time = startTime.given() ? startTime.value() : current.startTime();
        int period = hours(periodInHours, current.periodHours(), standard.periodHours());
        if (time != null && period != HOURS_OF_A_DAY) {
            if (periodInHours.value() != null) {
                faults.add("backupPeriodInHours", "must be 24 with a backupStartTime");
            }
            period = HOURS_OF_A_DAY;
        }
        int retention = hours(retentionInHours, current.retentionHours(), standard.retentionHours());
        return new BackupConfiguration(period, retention, time);
    }

    private static int hours(Part<Double> part, int current, int standard) {
        if (!part.given()) {
            return current;
        }
        Double value = part.value();
        return value == null ? standard : value.intValue();
    }
}
