package io.pilothouse.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the history of an alert says and draws. */
class AlertPlotTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static Tree.Members line(int minute, String group, Tree value, String state) {
        return Tree.Members.NONE
                .with("endTime", new Tree.Text(NOON.plusSeconds(60L * minute).toString()))
                .with("group", group.isEmpty() ? new Tree.Nothing() : new Tree.Text(group))
                .with("value", value)
                .with("state", new Tree.Text(state));
    }

    private static String drawn(List<Tree.Members> lines) {
        Html html = new Html();
        AlertPlot.write(html, lines, NOON.plusSeconds(600));
        return html.toString();
    }

    @Test
    void eachGroupIsDrawnWithItsValueAndWhenItFired() {
        String plot = drawn(List.of(
                line(8, "service:a", new Tree.Figure(4), "firing"),
                line(7, "service:b", new Tree.Figure(1), "firing"),
                line(6, "service:a", new Tree.Figure(0), "inactive"),
                line(4, "service:a", new Tree.Figure(5), "firing"),
                line(2, "service:a", new Tree.Figure(6), "firing"),
                line(0, "service:a", new Tree.Figure(0), "inactive")));
        assertThat(plot)
                .contains("aria-label=\"service:a: now 4 (firing), from 0 to 6; fired 2 times\"")
                .contains("aria-label=\"service:b: now 1 (firing), from 1 to 1; fired 1 time\"")
                .contains("class=\"fired\" d=\"M")
                .contains("2030-01-01T12:00:00Z", "every change");
    }

    @Test
    void whatIsAheadOfTheClockIsDrawnToo() {
        assertThat(drawn(List.of(
                        line(90, "", new Tree.Figure(2), "firing"), line(80, "", new Tree.Figure(0), "inactive"))))
                .contains("now 2 (firing), from 0 to 2; fired 1 time")
                .contains("2030-01-01T13:30:00Z");
    }

    @Test
    void anAlertWithoutDataSaysSo() {
        assertThat(drawn(List.of())).contains("nothing to plot yet");
        assertThat(drawn(List.of(line(0, "", new Tree.Nothing(), "insufficient_data"))))
                .contains("<strong>Value</strong> now without a value (insufficient_data); fired 0 times");
    }
}
