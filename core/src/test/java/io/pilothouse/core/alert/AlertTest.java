package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.AlertsTokenCreated;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.pipe.GivenPipe;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertTest {
    private static final AlertError FAILED_DELIVERY =
            new AlertError(AlertSample.NOW, AlertError.Type.WEBHOOK_ERROR, "The webhook answered 404");

    @ParameterizedTest
    @CsvSource({
        "inactive, INACTIVE, INACTIVE",
        "pending, INACTIVE, PENDING",
        "firing, PENDING, FIRING",
        "firing, FIRING, INSUFFICIENT_DATA",
        "insufficient_data, INACTIVE, INSUFFICIENT_DATA",
        "pending, INSUFFICIENT_DATA, PENDING"
    })
    void theWorstGroupDecides(String word, AlertState one, AlertState other) {
        Alert alert = alert(Map.of("a", group(one), "b", group(other)), null);

        assertThat(alert.state().word()).isEqualTo(word);
    }

    @Test
    void anAlertWithoutATileIsDisabledWhateverItFound() {
        AlertError gone = new AlertError(AlertSample.NOW, AlertError.Type.INVALID_ALERT, "Its tile is gone");
        AlertError other = new AlertError(AlertSample.NOW, AlertError.Type.QUERY_ERROR, "Too many groups");

        assertThat(alert(Map.of("", group(AlertState.FIRING)), gone).state()).isEqualTo(AlertState.DISABLED);
        assertThat(alert(Map.of("", group(AlertState.FIRING)), other).state()).isEqualTo(AlertState.FIRING);
        assertThat(alert(Map.of(), null).state()).isEqualTo(AlertState.INACTIVE);
    }

    @Test
    void errorsAreThoseOfTheLastRunAndOfTheLastDeliveries() {
        AlertError failure = new AlertError(AlertSample.NOW, AlertError.Type.QUERY_ERROR, "Too many groups");
        AlertWatch watch = AlertWatch.from(AlertSample.NOW).withFailure(failure);

        AlertWatch undelivered = watch.withDelivery(AlertSample.WEBHOOK, FAILED_DELIVERY);

        assertThat(undelivered.errors()).containsExactly(failure, FAILED_DELIVERY);
        assertThat(undelivered.withFailure(null).errors()).containsExactly(FAILED_DELIVERY);
        assertThat(undelivered.withDelivery(AlertSample.WEBHOOK, null)).isEqualTo(watch);
    }

    @Test
    void anErrorThatComesAgainKeepsItsTime() {
        AlertWatch watch = AlertWatch.from(AlertSample.NOW).withDelivery(AlertSample.WEBHOOK, FAILED_DELIVERY);
        Instant later = AlertSample.NOW.plusSeconds(60);
        AlertError again = new AlertError(later, FAILED_DELIVERY.type(), FAILED_DELIVERY.message());
        AlertError other = new AlertError(later, FAILED_DELIVERY.type(), "The webhook did not answer");

        assertThat(watch.withDelivery(AlertSample.WEBHOOK, again)).isEqualTo(watch);
        assertThat(watch.withDelivery(AlertSample.WEBHOOK, other).errors()).containsExactly(other);
    }

    @Test
    void aRunKeepsTheErrorOfAWebhookThatShouldKnowOfAFireAndNoOther() {
        AlertGroup quiet = group(AlertState.INACTIVE);
        AlertWatch watch = new AlertWatch(AlertSample.NOW, AlertSample.NOW, Map.of("", quiet), null, Map.of())
                .withDelivery(AlertSample.WEBHOOK, FAILED_DELIVERY);
        AlertGroup notified = group(AlertState.FIRING).withNotified(List.of(AlertSample.CHANNEL));

        assertThat(watch.withoutSettledDeliveries().errors()).isEmpty();
        assertThat(new AlertWatch(AlertSample.NOW, AlertSample.NOW, Map.of("", notified), null, watch.undelivered())
                        .withoutSettledDeliveries()
                        .errors())
                .containsExactly(FAILED_DELIVERY);
    }

    @Test
    void aSilenceHoldsUntilItsEnd() {
        Instant end = AlertSample.NOW.plusSeconds(60);
        AlertSilence silence = new AlertSilence("somebody", AlertSample.NOW, end);
        Alert alert =
                AlertSample.alert(AlertSample.rule(1, AlertSample.CHANNEL)).withSilence(silence);

        assertThat(alert.silence(end.minusNanos(1))).isEqualTo(silence);
        assertThat(alert.silence(end)).isNull();
        assertThat(alert.withSilence(null).silence(AlertSample.NOW)).isNull();
    }

    @Test
    void anotherRuleKeepsTheFindingsAndAnotherScheduleStartsOver() {
        AlertRule rule = AlertSample.rule(1, AlertSample.CHANNEL);
        Map<String, AlertGroup> groups = Map.of("", group(AlertState.FIRING));
        AlertError gone = new AlertError(AlertSample.NOW, AlertError.Type.INVALID_ALERT, "Its tile is gone");
        Alert alert = alert(groups, gone);
        Instant later = AlertSample.NOW.plusSeconds(600);

        Alert renamed = alert.withRule(rule.named("Other"), later);
        AlertRule slower = new AlertRule(
                "Other",
                "",
                null,
                rule.threshold(),
                new AlertSchedule(AlertInterval.FIVE_MINUTES, 0, null),
                null,
                rule.dashboardId(),
                rule.tileId(),
                rule.channels());
        Alert slowed = alert.withRule(slower, later);

        assertThat(renamed.watch().groups()).isEqualTo(groups);
        assertThat(renamed.watch().measuredUntil()).isEqualTo(alert.watch().measuredUntil());
        assertThat(renamed.state()).isEqualTo(AlertState.FIRING);
        assertThat(renamed.updatedAt()).isEqualTo(later);
        assertThat(slowed.watch().measuredUntil()).isEqualTo(Instant.parse("2026-03-01T12:10:00Z"));
        assertThat(slowed.watch().groups()).isEqualTo(groups);
        assertThat(slowed.ownerId()).isEqualTo(AlertSample.ORGANIZATION);
    }

    @Test
    void stampsOnlyEverGrow() {
        Instant last = AlertSample.NOW;

        assertThat(AlertWatch.stampAfter(last, last.plusSeconds(1))).isEqualTo(last.plusSeconds(1));
        assertThat(AlertWatch.stampAfter(last, last)).isEqualTo(last.plusNanos(1));
        assertThat(AlertWatch.stampAfter(last, last.minusSeconds(9))).isEqualTo(last.plusNanos(1));
    }

    @Test
    void aLineOfHistoryHasOneIdForItsWindowAndItsGroup() {
        MetricWindow window = new MetricWindow(AlertSample.NOW, AlertSample.NOW.plusSeconds(60));
        MetricWindow longer = new MetricWindow(AlertSample.NOW, AlertSample.NOW.plusSeconds(300));
        AlertEvaluation line = AlertEvaluation.of(AlertSample.ALERT, window, "a", group(AlertState.FIRING));

        assertThat(AlertEvaluation.of(AlertSample.ALERT, window, "a", group(AlertState.INACTIVE))
                        .id())
                .isEqualTo(line.id());
        assertThat(List.of(
                        line.id(),
                        AlertEvaluation.of(AlertSample.ALERT, window, "b", group(AlertState.FIRING))
                                .id(),
                        AlertEvaluation.of(AlertSample.ALERT, longer, "a", group(AlertState.FIRING))
                                .id(),
                        AlertEvaluation.of(AlertSample.WEBHOOK, window, "a", group(AlertState.FIRING))
                                .id()))
                .doesNotHaveDuplicates();
        assertThat(line.createdAt()).isEqualTo(window.to());
        assertThat(line.ownerId()).isEqualTo(AlertSample.ALERT);
        assertThat(line.version()).as("until the store has it").isZero();
    }

    @Test
    void aLabelDistinguishesThingsInTrouble() {
        Service service = Given.service();
        String label = service.label().text();
        Service troubled = service.withSeen(service.seen().withTrouble("It broke down"));

        assertThat(label).isEqualTo(Given.ORGANIZATION + ":provisioning");
        assertThat(troubled.label().text()).isEqualTo(Given.ORGANIZATION + ":failed!");
        Pipe pipe = GivenPipe.pipe("kafka");
        PipeSeen broken = new PipeSeen(PipePhase.FAILED, 0, 0, "The topic is gone", AlertSample.NOW);
        assertThat(pipe.label().text()).isEqualTo(pipe.organizationId() + ":Provisioning");
        assertThat(pipe.withSeen(broken).label().text()).isEqualTo(pipe.organizationId() + ":Failed!");
    }

    @Test
    void aTokenJustMadeIsNotPrinted() {
        AlertsToken token = new AlertsToken(
                new Head(AlertSample.ALERT, AlertSample.ORGANIZATION, AlertSample.NOW, 1),
                "Name",
                "abcd",
                "hash",
                null);

        assertThat(new AlertsTokenCreated(token, "hunter2")).hasToString("AlertsTokenCreated[" + token.id() + "]");
    }

    private static AlertGroup group(AlertState state) {
        return new AlertGroup(state, 1, 0, AlertSample.NOW, 1.0, List.of());
    }

    private static Alert alert(Map<String, AlertGroup> groups, @Nullable AlertError failure) {
        AlertWatch watch =
                new AlertWatch(AlertSample.NOW, AlertSample.NOW, new LinkedHashMap<>(groups), failure, Map.of());
        return AlertSample.alert(AlertSample.rule(1, AlertSample.CHANNEL)).withWatch(watch);
    }
}
