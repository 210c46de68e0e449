package io.pilothouse.core.figure;

/** One number of a running database that is worth watching over time. */
public enum Vital {
    QUERIES_PER_SECOND(true),
    /** How long all but the slowest hundredth of the queries of a minute took; unknown for a minute without any. */
    P99_MILLIS(false),
    MEMORY_BYTES(false),
    DISK_BYTES(false),
    CONNECTIONS(false);

    private final boolean averaged;

    Vital(boolean averaged) {
        this.averaged = averaged;
    }

    /** One number for several minutes: the mean of a rate, the highest of everything else; NaN is unknown. */
    float together(float[] minutes) {
        float highest = Float.NaN;
        float sum = 0;
        int known = 0;
        for (float minute : minutes) {
            if (!Float.isNaN(minute)) {
                highest = known == 0 ? minute : Math.max(highest, minute);
                sum += minute;
                known++;
            }
        }
        return averaged && known > 0 ? sum / known : highest;
    }
}
