package io.pilothouse.http.metrics;

import java.util.concurrent.TimeUnit;

/**
 * The text format of Prometheus, written by hand: its library would cost every start 30 to 100 ms and each process
 * 16 MB once it was asked, for five kinds of line. For one thread.
 */
public final class MetricsText {
    public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int USUAL_LENGTH = 16 * 1024;
    private static final double NANOS_IN_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final StringBuilder text = new StringBuilder(USUAL_LENGTH);

    /** Begins a family; its samples follow at once. */
    public void family(String name, Kind kind, String help) {
        text.append("# HELP ").append(name).append(' ');
        escape(help, false);
        text.append('\n');
        text.append("# TYPE ").append(name).append(' ').append(kind.word).append('\n');
    }

    /** The kind of a family. */
    public enum Kind {
        COUNTER("counter"),
        GAUGE("gauge"),
        HISTOGRAM("histogram"),
        SUMMARY("summary"),
        UNTYPED("untyped");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** One value; labels are names and values in turn. */
    public void sample(String name, long value, String... labels) {
        line(name, Long.toString(value), labels);
    }

    /** One value that may have a fraction. */
    public void sample(String name, double value, String... labels) {
        line(name, number(value), labels);
    }

    private void line(String name, String value, String... labels) {
        text.append(name);
        if (labels.length > 0) {
            text.append('{');
            for (int at = 0; at < labels.length; at += 2) {
                text.append(at == 0 ? "" : ",").append(labels[at]).append("=\"");
                escape(labels[at + 1], true);
                text.append('"');
            }
            text.append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    /** A family of one value. */
    public void single(String name, Kind kind, String help, long value) {
        family(name, kind, help);
        sample(name, value);
    }

    /** A family of one value that may have a fraction. */
    public void single(String name, Kind kind, String help, double value) {
        family(name, kind, help);
        sample(name, value);
    }

    /** Families that were written apart. */
    public void append(String families) {
        text.append(families);
    }

    public static double seconds(long nanos) {
        return (double) nanos / NANOS_IN_SECOND;
    }

    public static String number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        return whole ? Long.toString((long) value) : Double.toString(value);
    }

    private void escape(String value, boolean quoted) {
        for (int at = 0; at < value.length(); at++) {
            char each = value.charAt(at);
            switch (each) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append(quoted ? "\\\"" : "\"");
                case '\n' -> text.append("\\n");
                default -> text.append(each);
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
