package io.pilothouse.core.figure;

/** One number that a database gives about itself, and where it comes from. */
public record Figure(Source source, String name, String help, double value) {
    /** The system table that has it, and the beginning of its name for those who watch from outside. */
    public enum Source {
        EVENTS("ClickHouseProfileEvents_", "system.events", true),
        METRICS("ClickHouseMetrics_", "system.metrics", false),
        ASYNCHRONOUS_METRICS("ClickHouseAsyncMetrics_", "system.asynchronous_metrics", false),
        ERRORS("ClickHouseErrorMetric_", "system.errors", true);

        private final String prefix;
        private final String table;
        private final boolean counter;

        Source(String prefix, String table, boolean counter) {
            this.prefix = prefix;
            this.table = table;
            this.counter = counter;
        }

        public String table() {
            return table;
        }

        /** Whether its numbers only grow while the database runs. */
        public boolean counter() {
            return counter;
        }
    }

    /** The name under which it is shown, in the letters that such a name may have. */
    public String family() {
        StringBuilder family = new StringBuilder(source.prefix);
        name.chars().forEach(each -> family.append(isPlain(each) ? (char) each : '_'));
        return family.toString();
    }

    private static boolean isPlain(int each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9');
    }
}
