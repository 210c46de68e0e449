package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.plot.Curve;
import io.pilothouse.console.plot.Measure;
import io.pilothouse.console.plot.Steps;
import io.pilothouse.console.screen.FormBody;
import io.pilothouse.console.screen.Screen;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.base.Tree;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The history of an alert drawn, a picture for each group: its value, and when it fired. A list beside it says the same. */
final class AlertPlot {
    private static final int MAX_GROUPS = 6;
    private static final int POINTS = 120;
    private static final int WIDTH = 300;
    private static final int HEIGHT = 80;

    private AlertPlot() {}

    private record Line(Instant at, String group, double value, String state) {
        boolean fires() {
            return state.equals(AlertState.FIRING.word());
        }
    }

    /** {@code lines} are those of the API: one for each change, the newest first. */
    static void write(Html html, List<Tree.Members> lines, Instant now) {
        Map<String, List<Line>> groups = new LinkedHashMap<>();
        Instant oldest = now;
        Instant newest = now;
        for (Tree.Members each : lines) {
            Line line = line(each, now);
            groups.computeIfAbsent(line.group(), _ -> new ArrayList<>()).addFirst(line);
            oldest = line.at().isBefore(oldest) ? line.at() : oldest;
            // The clock of an emulator may be far ahead of this one.
            newest = line.at().isAfter(newest) ? line.at() : newest;
        }
        if (groups.isEmpty()) {
            html.in("p", "There is nothing to plot yet.");
            return;
        }
        Instant from = oldest;
        Instant to = newest;
        html.in(
                tag("div", "class", "plots"),
                () -> groups.entrySet().stream()
                        .limit(MAX_GROUPS)
                        .forEach(group -> figure(html, group.getKey(), group.getValue(), from, to)));
        html.in(tag("p", "class", "quiet"), () -> {
            html.text("From ").moment(from).text(" to ").moment(to);
            html.text(". The curve is the value of the rule, and the line at the top is there while it fires. The list "
                    + "below has every change."
                    + (groups.size() > MAX_GROUPS
                            ? " The " + MAX_GROUPS + " groups that changed last, of " + groups.size() + "."
                            : ""));
        });
    }

    private static Line line(Tree.Members line, Instant now) {
        double value = FormBody.at(line, "value") instanceof Tree.Figure figure ? figure.value() : Double.NaN;
        Instant at;
        try {
            at = Instant.parse(line.text("endTime").orElse(""));
        } catch (DateTimeException unknown) {
            at = now;
        }
        return new Line(
                at,
                FormBody.shown(FormBody.at(line, "group"), Screen.Column.Sort.TEXT),
                value,
                line.text("state").orElse(""));
    }

    private static void figure(Html html, String group, List<Line> lines, Instant from, Instant to) {
        Map<Instant, Double> values = new HashMap<>();
        Map<Instant, Double> fires = new HashMap<>();
        int fired = 0;
        boolean before = false;
        for (Line line : lines) {
            values.put(line.at(), line.value());
            fires.put(line.at(), line.fires() ? 1 : Double.NaN);
            fired += line.fires() && !before ? 1 : 0;
            before = line.fires();
        }
        Curve value = Curve.of(Steps.of(values).values(from, to, POINTS));
        Curve firing = Curve.of(Steps.of(fires).values(from, to, POINTS));
        String name = group.isEmpty() ? "Value" : group;
        String says = says(lines.getLast(), value, fired);
        html.in("figure", () -> {
            html.in("figcaption", () -> html.in("strong", name).text(" " + says));
            ServicePlots.picture(html, name + ": " + says, WIDTH, HEIGHT, () -> {
                html.one(tag("path", "d", value.path(WIDTH, HEIGHT)));
                html.one(tag("path", "class", "fired", "d", firing.path(WIDTH, HEIGHT)));
            });
        });
    }

    private static String says(Line last, Curve value, int fired) {
        String now = Double.isNaN(last.value()) ? "now without a value" : "now " + Measure.PLAIN.shown(last.value());
        String range = value.isEmpty()
                ? ""
                : ", from " + Measure.PLAIN.shown(value.lowest()) + " to " + Measure.PLAIN.shown(value.highest());
        return now + " (" + last.state() + ")" + range + "; fired " + fired + (fired == 1 ? " time" : " times");
    }
}
