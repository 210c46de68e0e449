package io.pilothouse.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The figures of a run, each beside what it must reach; printed as they come, and written down at the end. */
final class Report {
    private final List<Row> rows = new ArrayList<>();
    private final List<String> costs = new ArrayList<>();

    private record Row(String what, String figure, String limit, String must, Optional<Boolean> reached) {
        String line() {
            String verdict = reached.map(is -> is ? "yes" : "no").orElse("");
            return "| " + what + " | " + figure + " | " + limit + " | " + must + " | " + verdict + " |";
        }
    }

    /** A figure that is a share of a limit and must be at least so much of it. */
    void atLeast(String what, double figure, double limit, String unit, double share) {
        add(new Row(
                what,
                amountAndShare(figure, limit, unit),
                amount(limit, unit),
                percent(share) + " or more",
                Optional.of(figure / limit >= share)));
    }

    /** A figure beside another that tells more about it. */
    void beside(String what, double figure, double other, String unit) {
        add(new Row(what, amountAndShare(figure, other, unit), amount(other, unit), "", Optional.empty()));
    }

    private static String amountAndShare(double figure, double of, String unit) {
        return amount(figure, unit) + ", " + percent(figure / of);
    }

    /** A figure that must be at most so much. */
    void atMost(String what, double figure, String limit, String unit, double most) {
        add(new Row(what, amount(figure, unit), limit, amount(most, unit) + " or less", Optional.of(figure <= most)));
    }

    /** What one part costs by itself. */
    void cost(String part, double nanos, double bytes) {
        String line = "| " + part + " | " + amount(nanos / 1000, "µs") + " | " + amount(bytes, "B") + " |";
        costs.add(line);
        System.out.println(line);
    }

    private void add(Row row) {
        rows.add(row);
        System.out.println(row.line());
    }

    boolean reached() {
        return rows.stream().allMatch(row -> row.reached().orElse(true));
    }

    String table() {
        StringBuilder table = new StringBuilder("""
                | What | Figure | Limit in the same run | Must reach | Reached |
                |---|---|---|---|---|
                """);
        rows.forEach(row -> table.append(row.line()).append('\n'));
        table.append("""

                What every request of a kind passes, each part by itself (JMH): the gate from the header to the caller,
                the body reader from the bytes of a create to its draft, the rule book from the draft to the service,
                the service writer from a service to the bytes of an answer.

                | Part | Time | Allocated |
                |---|---|---|
                """);
        costs.forEach(cost -> table.append(cost).append('\n'));
        return table.toString();
    }

    static String amount(double value, String unit) {
        String digits = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, digits, value) + " " + unit;
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
