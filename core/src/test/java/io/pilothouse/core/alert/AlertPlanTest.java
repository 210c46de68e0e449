package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.AlertPlan.Sample;
import io.pilothouse.core.alert.AlertPlan.Step;
import io.pilothouse.core.metric.MetricReading;
import io.pilothouse.core.metric.MetricWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertPlanTest {
    private static final AlertChannel ACTIVITIES = new AlertChannel.ToActivities();
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final MetricReading NOTHING = new MetricReading.Nothing();

    private final List<String> sent = new ArrayList<>();
    private final List<AlertEvaluation> history = new ArrayList<>();
    private Alert alert = AlertSample.alert(AlertSample.rule(null, AlertSample.CHANNEL));
    private Instant now = alert.watch().measuredUntil();

    @ParameterizedTest
    @CsvSource({
        // windows needed; values (5 violates), - for none; state after each; the notices
        "1, 1 1,         inactive inactive,                               ''",
        "1, 5,           firing,                                          firing",
        "1, 5 6 7 1 1,   firing firing firing inactive inactive,          firing resolved",
        "1, 5 1 5 1,     firing inactive firing inactive,                 firing resolved firing resolved",
        "3, 5 5 5 5,     pending pending firing firing,                   firing",
        "3, 5 5 1 5 5,   pending pending inactive pending pending,        ''",
        "3, 5 5 5 1 5 5, pending pending firing inactive pending pending, firing resolved",
        "1, - - -,       inactive inactive insufficient_data,             ''",
        "1, 5 - - 5,     firing firing firing firing,                     firing",
        "1, 5 - - - 5,   firing firing firing insufficient_data firing,   firing",
        "1, 5 - - - 1,   firing firing firing insufficient_data inactive, firing resolved",
        "2, 5 - 5,       pending pending firing,                          firing",
        "2, 5 - - - 5,   pending pending pending insufficient_data pending, ''"
    })
    void everyRowOfWindowsLeadsToItsStatesAndItsMessages(int needed, String values, String states, String messages) {
        alert = AlertSample.alert(AlertSample.rule(needed, AlertSample.CHANNEL));
        List<String> seen = new ArrayList<>();
        for (String value : values.split(" ", -1)) {
            window(value.equals("-") ? NOTHING : whole(Double.parseDouble(value)));
            seen.add(alert.state().word());
        }

        assertThat(String.join(" ", seen)).isEqualTo(states);
        assertThat(String.join(" ", sent)).isEqualTo(messages);
    }

    @ParameterizedTest
    @CsvSource({"1, 5 1", "1, 5 5 1", "2, 5 5 1", "1, 1 5 1 5 1"})
    void severalWindowsAtOnceComeToTheSameAsOneByOne(int needed, String values) {
        alert = AlertSample.alert(AlertSample.rule(needed, AlertSample.CHANNEL));
        Alert before = alert;
        for (String value : values.split(" ", -1)) {
            window(whole(Double.parseDouble(value)));
        }
        List<Sample> samples = new ArrayList<>();
        Instant start = before.watch().measuredUntil();
        for (String value : values.split(" ", -1)) {
            samples.add(new Sample(new MetricWindow(start, start.plus(MINUTE)), whole(Double.parseDouble(value))));
            start = start.plus(MINUTE);
        }

        Step step = AlertPlan.next(before, AlertSample.tile(), samples, start);

        assertThat(step.watch().groups()).isEqualTo(alert.watch().groups());
        assertThat(step.evaluations()).isEqualTo(history);
        assertThat(step.notices())
                .extracting(notice -> notice.event().kind().word())
                .isEqualTo(sent);
        assertThat(step.notices()).extracting(AlertNotice::stamp).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void historyHasALineWhereTheValueOrTheStateChanges() {
        for (double value : new double[] {1, 1, 2, 5, 5, 5, 1}) {
            window(whole(value));
        }
        window(NOTHING);
        window(NOTHING);

        assertThat(history).extracting(AlertEvaluation::value).containsExactly(1.0, 2.0, 5.0, 1.0, null);
        assertThat(history).extracting(AlertEvaluation::id).doesNotHaveDuplicates();
        assertThat(history.get(2).state()).isEqualTo(AlertState.FIRING);
        assertThat(history.get(2).window().to()).isEqualTo(Instant.parse("2026-03-01T12:04:00Z"));
    }

    @Test
    void eachGroupLivesItsOwnLife() {
        window(groups(Map.of("a", 5.0, "b", 1.0)));
        assertThat(states()).containsOnly(Map.entry("a", "firing"), Map.entry("b", "inactive"));

        window(groups(Map.of("a", 5.0, "b", 5.0)));
        window(groups(Map.of("a", 1.0, "b", 5.0)));

        assertThat(states()).containsOnly(Map.entry("a", "inactive"), Map.entry("b", "firing"));
        assertThat(alert.state()).isEqualTo(AlertState.FIRING);
        assertThat(sent).containsExactly("firing a", "firing b", "resolved a");
    }

    @Test
    void aGroupThatIsNoLongerThereIsOverEvenIfZeroWouldViolate() {
        AlertRule rule = AlertSample.rule(1, AlertSample.CHANNEL);
        AlertRule below = new AlertRule(
                "Too few",
                "",
                null,
                new AlertThreshold(AlertThreshold.Type.BELOW, 5, null),
                rule.schedule(),
                null,
                rule.dashboardId(),
                rule.tileId(),
                rule.channels());
        alert = AlertSample.alert(below);

        window(groups(Map.of("service:1", 1.0)));
        window(groups(Map.of()));

        assertThat(sent).containsExactly("firing service:1", "resolved service:1");
        assertThat(alert.state()).isEqualTo(AlertState.INACTIVE);
        assertThat(alert.watch().groups()).isEmpty();
        assertThat(history).extracting(AlertEvaluation::state).containsExactly(AlertState.FIRING, AlertState.INACTIVE);
    }

    @Test
    void groupsBeyondTheLimitAreReportedAsAnError() {
        window(new MetricReading.Values(Map.of("a", 1.0), false));

        assertThat(alert.watch().errors()).singleElement().satisfies(error -> {
            assertThat(error.type()).isEqualTo(AlertError.Type.QUERY_ERROR);
            assertThat(error.message()).contains("more than 1 groups");
        });

        window(groups(Map.of("a", 1.0)));
        assertThat(alert.watch().errors()).isEmpty();
    }

    @Test
    void aSilenceHoldsMessagesBackButNotTheState() {
        silenceFor(Duration.ofMinutes(3));

        window(whole(5));
        window(whole(5));
        assertThat(alert.state()).isEqualTo(AlertState.FIRING);
        assertThat(sent).isEmpty();

        window(whole(5));
        assertThat(sent).containsExactly("firing");
        window(whole(5));
        assertThat(sent).hasSize(1);
    }

    @Test
    void aSilenceThatEndsWithinAWindowNotifiesAtOnce() {
        silenceFor(Duration.ofSeconds(90));
        window(whole(5));

        now = now.plusSeconds(30);
        apply(List.of());

        assertThat(sent).containsExactly("firing");
        assertThat(alert.watch().measuredUntil()).isEqualTo(Instant.parse("2026-03-01T12:01:00Z"));
        apply(List.of());
        assertThat(sent).hasSize(1);
    }

    @Test
    void aFireThatEndsBeforeTheSilenceIsNeverSent() {
        silenceFor(Duration.ofMinutes(3));

        window(whole(5));
        window(whole(1));
        window(whole(1));

        assertThat(sent).isEmpty();
    }

    @Test
    void aChannelNotifiedOfAFireIsNotifiedOfItsEndAfterTheSilence() {
        window(whole(5));
        silenceFor(Duration.ofMinutes(2));

        window(whole(1));
        assertThat(sent).containsExactly("firing");
        assertThat(alert.state()).isEqualTo(AlertState.INACTIVE);

        window(whole(1));
        assertThat(sent).containsExactly("firing", "resolved");
    }

    @Test
    void aGroupThatLeftWhileSilencedIsKeptUntilItsEndWasSent() {
        window(groups(Map.of("a", 5.0)));
        silenceFor(Duration.ofMinutes(2));

        window(groups(Map.of()));
        assertThat(alert.watch().groups()).containsKey("a");

        window(groups(Map.of()));
        assertThat(sent).containsExactly("firing a", "resolved a");
        assertThat(alert.watch().groups()).isEmpty();
    }

    @Test
    void aChannelThatIsAddedWhileItFiresIsNotifiedAndOneThatIsTakenAwayHearsTheEnd() {
        window(whole(5));
        alert = alert.withRule(AlertSample.rule(1, ACTIVITIES), now);

        Step step = window(whole(5));
        assertThat(step.notices()).extracting(AlertNotice::channel).containsExactly(ACTIVITIES);

        Step last = window(whole(1));
        assertThat(last.notices()).extracting(AlertNotice::channel).containsExactly(AlertSample.CHANNEL, ACTIVITIES);
    }

    @Test
    void aFireStaysWhenMoreWindowsAreAskedFor() {
        window(whole(5));
        alert = alert.withRule(AlertSample.rule(9, AlertSample.CHANNEL), now);

        window(whole(5));

        assertThat(alert.state()).isEqualTo(AlertState.FIRING);
    }

    @Test
    void thePlanIsTheSameForTheSameInput() {
        List<Sample> samples = List.of(new Sample(
                new MetricWindow(now, now.plus(MINUTE)),
                new MetricReading.Values(
                        IntStream.range(0, 50)
                                .boxed()
                                .collect(Collectors.toMap(i -> String.format(Locale.ROOT, "g%02d", i), i -> i * 1.0)),
                        true)));

        assertThat(AlertPlan.next(alert, AlertSample.tile(), samples, now))
                .isEqualTo(AlertPlan.next(alert, AlertSample.tile(), samples, now));
    }

    private void silenceFor(Duration time) {
        alert = alert.withSilence(new AlertSilence("somebody", now, now.plus(time)));
    }

    private static MetricReading whole(double value) {
        return groups(Map.of(MetricReading.WHOLE, value));
    }

    private static MetricReading groups(Map<String, Double> values) {
        return new MetricReading.Values(values, true);
    }

    private Map<String, String> states() {
        return alert.watch().groups().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().state().word()));
    }

    /** Lets a minute pass and evaluates it. */
    private Step window(MetricReading reading) {
        now = now.plus(MINUTE);
        Instant start = alert.watch().measuredUntil();
        return apply(List.of(new Sample(new MetricWindow(start, start.plus(MINUTE)), reading)));
    }

    private Step apply(List<Sample> samples) {
        Step step = AlertPlan.next(alert, AlertSample.tile(), samples, now);
        alert = alert.withWatch(step.watch());
        history.addAll(step.evaluations());
        for (AlertNotice notice : step.notices()) {
            String group = notice.event().group();
            sent.add(notice.event().kind().word() + (group.isEmpty() ? "" : " " + group));
        }
        return step;
    }
}
