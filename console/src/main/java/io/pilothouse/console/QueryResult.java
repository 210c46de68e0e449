package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.plot.Curve;
import io.pilothouse.console.plot.Measure;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rows of an answer as a table, and each column of numbers as a plot, from the first row to the last. {@code from}
 * rows come before them, and {@code paged} ones lead to others.
 */
record QueryResult(QueryRows rows, long from, boolean paged) {
    private static final Pattern NUMBERS = Pattern.compile(
            "((LowCardinality|Nullable)\\()*(U?Int|Float|BFloat|Decimal)\\d*(\\(\\d+(, \\d+)?\\))?\\)*");
    private static final int MAX_PLOTS = 4;
    private static final int WIDTH = 600;
    private static final int HEIGHT = 80;

    void write(Html html) {
        html.in("h2", "Result");
        if (rows.names().isEmpty() && rows.others().isEmpty()) {
            html.in("p", "It was run, and has no rows to show.");
        }
        if (!rows.names().isEmpty()) {
            plots(html);
            html.in(Page.wide("Result"), () -> table(html));
        }
        if (!rows.others().isEmpty()) {
            if (rows.cut() && rows.names().isEmpty()) {
                html.in(tag("p", "class", "quiet"), "The beginning of it; LIMIT and OFFSET show others");
            }
            html.in("pre", String.join("\n", rows.others()));
        }
    }

    private void table(Html html) {
        html.in("table", () -> {
            html.in(tag("caption", "class", "quiet"), rows.caption(from, paged));
            html.in(
                    "thead",
                    () -> html.in("tr", () -> {
                        for (int at = 0; at < rows.names().size(); at++) {
                            html.in(
                                    tag("th", "scope", "col", "title", type(at)),
                                    rows.names().get(at));
                        }
                    }));
            html.in(
                    "tbody",
                    () -> rows.rows().forEach(row -> html.in("tr", () -> row.forEach(value -> html.in("td", value)))));
        });
    }

    private void plots(Html html) {
        int drawn = 0;
        for (int at = 0; at < rows.names().size() && drawn < MAX_PLOTS; at++) {
            Curve curve = curve(at);
            if (rows.rows().size() > 1 && NUMBERS.matcher(type(at)).matches() && !curve.isEmpty()) {
                plot(html, rows.names().get(at), curve);
                drawn++;
            }
        }
    }

    private static void plot(Html html, String name, Curve curve) {
        String says = name + ", from the first row to the last: from " + Measure.PLAIN.shown(curve.lowest()) + " to "
                + Measure.PLAIN.shown(curve.highest());
        html.in("figure", () -> {
            html.in("figcaption", says);
            ServicePlots.picture(html, curve, says, WIDTH, HEIGHT);
        });
    }

    private String type(int column) {
        return column < rows.types().size() ? rows.types().get(column) : "";
    }

    private Curve curve(int column) {
        List<Double> values = rows.rows().stream()
                .map(row -> column < row.size() ? number(row.get(column)) : Double.NaN)
                .toList();
        return Curve.of(values);
    }

    /** What is no number, such as a value that is not there, is a gap. */
    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException gap) {
            return Double.NaN;
        }
    }
}
