package io.pilothouse.core.usage;

/** What things cost, in credits: a gigabyte of memory for an hour, and a terabyte of storage for thirty days. */
public record UsagePrices(double memoryGbHour, double storageTbMonth) {
    private static final double BYTES_IN_A_TERABYTE = 1e12;
    private static final double DAYS_IN_A_MONTH = 30;
    private static final double SMALLEST = 1e9;

    double memory(double gigabyteHours) {
        return rounded(gigabyteHours * memoryGbHour);
    }

    /** What these bytes cost for one day. */
    double storage(long bytes) {
        return rounded(bytes / BYTES_IN_A_TERABYTE * storageTbMonth / DAYS_IN_A_MONTH);
    }

    /** Without the last digits, which say how computers count and nothing about costs. */
    public static double rounded(double credits) {
        return Math.round(credits * SMALLEST) / SMALLEST;
    }
}
