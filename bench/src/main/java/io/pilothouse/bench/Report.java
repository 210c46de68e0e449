package io.pilothouse.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The figures of a run, each beside its bound; printed as they come, and written to the page at the end. */
final class Report {
    private final List<Row> rows = new ArrayList<>();
    private final List<String> costs = new ArrayList<>();

    /** How a figure stands to its bound. */
    private enum Verdict {
        REACHED("yes"),
        WITHIN_SPREAD("missed by less than the rounds differ"),
        MISSED("no"),
        NONE("");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** {@code missedBy} is zero or less for a bound that was reached; the rounds are measured as the bound is. */
        static Verdict of(double missedBy, List<Double> rounds) {
            if (missedBy <= 0) {
                return REACHED;
            }
            return missedBy < Collections.max(rounds) - Collections.min(rounds) ? WITHIN_SPREAD : MISSED;
        }
    }

    private record Row(String what, String figure, String limit, String must, Verdict verdict) {
        String line() {
            return "| " + what + " | " + figure + " | " + limit + " | " + must + " | " + verdict.words + " |";
        }
    }

    /** A figure that must be at least this share of a limit; both are measured in each round. */
    void atLeast(String what, List<Double> figures, List<Double> limits, String unit, double share) {
        double figure = median(figures);
        double limit = median(limits);
        add(new Row(
                what,
                amountAndShare(figure, limit, unit),
                amount(limit, unit),
                percent(share) + " or more",
                Verdict.of(share - figure / limit, ratios(figures, limits))));
    }

    /** A figure beside another that explains it. */
    void beside(String what, List<Double> figures, List<Double> others, String unit) {
        double figure = median(figures);
        double other = median(others);
        add(new Row(what, amountAndShare(figure, other, unit), amount(other, unit), "", Verdict.NONE));
    }

    private static String amountAndShare(double figure, double of, String unit) {
        return amount(figure, unit) + ", " + percent(figure / of);
    }

    /** A figure with an upper bound, measured in each round. */
    void atMost(String what, List<Double> figures, String limit, String unit, double most) {
        double figure = median(figures);
        add(new Row(
                what,
                amount(figure, unit),
                limit,
                amount(most, unit) + " or less",
                Verdict.of(figure - most, figures)));
    }

    /** A figure with an upper bound, measured once. */
    void atMost(String what, double figure, String limit, String unit, double most) {
        atMost(what, List.of(figure), limit, unit, most);
    }

    /** Of each round the one figure as a multiple of the other. */
    static List<Double> ratios(List<Double> figures, List<Double> others) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < figures.size(); round++) {
            ratios.add(figures.get(round) / others.get(round));
        }
        return ratios;
    }

    /** The cost of one part by itself. */
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
        return rows.stream().noneMatch(row -> row.verdict() == Verdict.MISSED);
    }

    String table() {
        StringBuilder table = new StringBuilder("""
                | What | Figure | Limit in the same run | Must reach | Reached |
                |---|---|---|---|---|
                """);
        rows.forEach(row -> table.append(row.line()).append('\n'));
        if (costs.isEmpty()) {
            return table.toString();
        }
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
