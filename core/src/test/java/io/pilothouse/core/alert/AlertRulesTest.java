package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pilothouse.core.alert.AlertSample.Draft;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlertRulesTest {
    private static final AlertDraft.Channel WEBHOOK = new AlertDraft.Channel("webhook", AlertSample.WEBHOOK.toString());
    private static final AlertDraft.Channel ACTIVITY = new AlertDraft.Channel("activity", null);

    @Test
    void theLeastThatIsNeededMakesARule() {
        AlertRule rule = rule(draft -> {}, null);

        assertThat(rule.name()).isEmpty();
        assertThat(rule.message()).isEmpty();
        assertThat(rule.note()).isNull();
        assertThat(rule.threshold()).isEqualTo(new AlertThreshold(AlertThreshold.Type.ABOVE, 5, null));
        assertThat(rule.schedule()).isEqualTo(new AlertSchedule(AlertInterval.FIVE_MINUTES, 0, null));
        assertThat(rule.numConsecutiveWindows()).isNull();
        assertThat(rule.windowsNeeded()).isEqualTo(1);
        assertThat(rule.dashboardId()).isEqualTo(AlertSample.DASHBOARD);
        assertThat(rule.tileId()).isEqualTo("tile");
        assertThat(rule.channels()).containsExactly(AlertSample.CHANNEL);
        assertThat(rule.notifies(AlertSample.WEBHOOK)).isTrue();
        assertThat(rule.notifies(AlertSample.ALERT)).isFalse();
    }

    @Test
    void everythingThatMayBeGivenIsTaken() {
        AlertRule rule = rule(
                draft -> {
                    draft.name = "Name";
                    draft.message = "Message";
                    draft.note = "Note";
                    draft.thresholdType = "between";
                    draft.thresholdMax = 5.0;
                    draft.offset = 4.0;
                    draft.source = "tile";
                    draft.dashboardId = draft.dashboard;
                    draft.channels = List.of(WEBHOOK, ACTIVITY);
                    draft.windows = 3.0;
                },
                null);

        assertThat(rule.name()).isEqualTo("Name");
        assertThat(rule.message()).isEqualTo("Message");
        assertThat(rule.note()).isEqualTo("Note");
        assertThat(rule.threshold().max()).isEqualTo(5.0);
        assertThat(rule.schedule().offsetMinutes()).isEqualTo(4);
        assertThat(rule.channels()).containsExactly(AlertSample.CHANNEL, new AlertChannel.ToActivities());
        assertThat(rule.numConsecutiveWindows()).isEqualTo(3);
        assertThat(rule.windowsNeeded()).isEqualTo(3);
    }

    @Test
    void aChannelSaysItsTypeAndItsTarget() {
        assertThat(AlertSample.CHANNEL.type()).isEqualTo("webhook");
        assertThat(AlertSample.CHANNEL.target()).isEqualTo(AlertSample.WEBHOOK.toString());
        assertThat(new AlertChannel.ToActivities().type()).isEqualTo("activity");
        assertThat(new AlertChannel.ToActivities().target()).isEqualTo("activity");
    }

    @Test
    void dashboardHasTwoSpellings() {
        AlertRule rule = rule(
                draft -> {
                    draft.dashboardId = draft.dashboard;
                    draft.dashboard = null;
                },
                null);

        assertThat(rule.dashboardId()).isEqualTo(AlertSample.DASHBOARD);
    }

    @Test
    void channelsAloneAreEnough() {
        AlertRule rule = rule(
                draft -> {
                    draft.channel = null;
                    draft.channels = List.of(ACTIVITY);
                },
                null);

        assertThat(rule.channels()).containsExactly(new AlertChannel.ToActivities());
    }

    @Test
    void blankTextsAreNotGiven() {
        AlertRule rule = rule(
                draft -> {
                    draft.name = " ";
                    draft.note = "";
                    draft.source = "";
                    draft.groupBy = "";
                },
                null);

        assertThat(rule.name()).isEmpty();
        assertThat(rule.note()).isNull();
    }

    @Test
    void theStartOfAScheduleStaysWhenItIsLeftOutAndIsDroppedWhenItIsNull() {
        AlertRule before = rule(
                draft -> {
                    draft.startGiven = true;
                    draft.start = "2026-02-01T10:00:00.5+01:00";
                },
                null);
        Instant start = Instant.parse("2026-02-01T09:00:00Z");

        assertThat(before.schedule().startAt()).isEqualTo(start);
        assertThat(rule(draft -> {}, before).schedule().startAt()).isEqualTo(start);
        assertThat(rule(draft -> draft.startGiven = true, before).schedule().startAt())
                .isNull();
        assertThat(faults(draft -> draft.offset = 1.0, before))
                .containsExactly("scheduleOffsetMinutes: must be 0 with scheduleStartAt");
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                of("name: must be at most 512 characters", draft -> draft.name = "x".repeat(513)),
                of("message: must be at most 4096 characters", draft -> draft.message = "x".repeat(4097)),
                of("note: must be at most 4096 characters", draft -> draft.note = "x".repeat(4097)),
                of("threshold: is required", draft -> draft.threshold = null),
                of("thresholdType: is required", draft -> draft.thresholdType = null),
                of(
                        "thresholdType: must be one of above, below, above_exclusive, below_or_equal, equal, not_equal,"
                                + " between, not_between",
                        draft -> draft.thresholdType = "over"),
                of("thresholdMax: is required", draft -> draft.thresholdType = "between"),
                of("thresholdMax: is required", draft -> draft.thresholdType = "not_between"),
                of("thresholdMax: belongs to between and not_between only", draft -> draft.thresholdMax = 6.0),
                of("thresholdMax: must not be below threshold", draft -> {
                    draft.thresholdType = "between";
                    draft.thresholdMax = 4.0;
                }),
                of("threshold: is required", draft -> {
                    draft.thresholdType = "between";
                    draft.threshold = null;
                    draft.thresholdMax = 4.0;
                }),
                of("interval: is required", draft -> draft.interval = null),
                of("interval: must be one of 1m, 5m, 15m, 30m, 1h, 6h, 12h, 1d", draft -> draft.interval = "30s"),
                of("scheduleOffsetMinutes: must be less than the interval", draft -> draft.offset = 5.0),
                of("scheduleOffsetMinutes: must be 0 to 1439", draft -> draft.offset = 1440.0),
                of("scheduleOffsetMinutes: must be 0 to 1439", draft -> draft.offset = -1.0),
                of("scheduleOffsetMinutes: must be a whole number", draft -> draft.offset = 1.5),
                of("scheduleStartAt: must be an RFC 3339 date-time with a zone", draft -> start(draft, "tomorrow")),
                of("scheduleStartAt: must be at most a year ahead", draft -> start(draft, "2027-03-01T12:00:31Z")),
                of("scheduleStartAt: must be at most 10 years back", draft -> start(draft, "2016-03-01T12:00:29Z")),
                of("source: must be tile", draft -> draft.source = "saved_search"),
                of("groupBy: is set on the tile", draft -> draft.groupBy = "service"),
                of("dashboard: is required", draft -> draft.dashboard = null),
                of("dashboardId: must be the same as dashboard", draft -> draft.dashboardId = "other"),
                of("Invalid dashboard ID", draft -> draft.dashboard = "1-1-1-1-1"),
                of("Invalid dashboard ID", draft -> draft.dashboard = "nothing"),
                of("tileId: is required", draft -> draft.tileId = null),
                of("numConsecutiveWindows: must be 1 or more", draft -> draft.windows = 0.0),
                of("At least one notification channel is required", draft -> draft.channel = null),
                of("At least one notification channel is required", draft -> {
                    draft.channel = null;
                    draft.channels = List.of();
                }),
                of("Invalid webhook ID", draft -> draft.channel = new AlertDraft.Channel("webhook", "1")),
                of("Invalid webhook ID", draft -> draft.channel = new AlertDraft.Channel("webhook", null)),
                of(
                        "channel.type: must be one of webhook, activity",
                        draft -> draft.channel = new AlertDraft.Channel("email", null)),
                of(
                        "channels[0].type: must be one of webhook, activity",
                        draft -> draft.channels = List.of(new AlertDraft.Channel(null, null))),
                of(
                        "channel: must be the first of channels when both are given",
                        draft -> draft.channels = List.of(ACTIVITY, WEBHOOK)),
                of("channels: must not name a channel twice", draft -> draft.channels = List.of(WEBHOOK, WEBHOOK)),
                of(
                        "channels: must have at most 10 entries",
                        draft -> draft.channels = Collections.nCopies(11, WEBHOOK)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyFaultIsReportedWithItsPlace(String fault, Consumer<Draft> change) {
        assertThat(faults(change, null)).containsExactly(fault);
    }

    @Test
    void everyFaultComesBackTogether() {
        assertThat(faults(
                        draft -> {
                            draft.threshold = null;
                            draft.thresholdType = null;
                            draft.interval = null;
                            draft.tileId = " ";
                            draft.channel = null;
                        },
                        null))
                .hasSize(5);
    }

    @Test
    void aValueOfTheWrongTypeIsNotMissingToo() {
        Faults faults = new Faults();
        faults.add("threshold", "must be a number");
        Draft draft = new Draft();
        draft.threshold = null;

        assertThat(new AlertRules(faults, AlertSample.NOW).rule(draft.build(), null))
                .isNull();
        assertThat(faults.list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:30Z", "2026-03-01T12:00:30.9Z", "2020-01-01T00:00:00Z"})
    void aSilenceMustEndInTheFuture(String until) {
        Faults faults = new Faults();
        Instant end = new AlertRules(faults, AlertSample.NOW).mutedUntil(until);

        assertThat(end).isNotNull();
        assertThat(faults.list()).containsExactly(new Fault("mutedUntil", "must be in the future"));
    }

    @Test
    void aSilenceNeedsAnEnd() {
        Faults faults = new Faults();
        AlertRules rules = new AlertRules(faults, AlertSample.NOW);

        assertThat(rules.mutedUntil(null)).isNull();
        assertThat(rules.mutedUntil("soon")).isNull();
        assertThat(faults.list())
                .extracting(Fault::message)
                .containsExactly("is required", "must be an RFC 3339 date-time with a zone");
        assertThat(new AlertRules(new Faults(), AlertSample.NOW).mutedUntil("2026-03-01T12:00:31Z"))
                .isEqualTo(Instant.parse("2026-03-01T12:00:31Z"));
    }

    private static void start(Draft draft, String text) {
        draft.startGiven = true;
        draft.start = text;
    }

    private static Arguments of(String fault, Consumer<Draft> change) {
        return arguments(fault, change);
    }

    private static AlertRule rule(Consumer<Draft> change, @Nullable AlertRule before) {
        Draft draft = new Draft();
        change.accept(draft);
        Faults faults = new Faults();
        AlertRule rule = new AlertRules(faults, AlertSample.NOW).rule(draft.build(), before);
        assertThat(faults.list()).isEmpty();
        return Objects.requireNonNull(rule);
    }

    private static List<String> faults(Consumer<Draft> change, @Nullable AlertRule before) {
        Draft draft = new Draft();
        change.accept(draft);
        Faults faults = new Faults();
        assertThat(new AlertRules(faults, AlertSample.NOW).rule(draft.build(), before))
                .isNull();
        return faults.list().stream()
                .map(fault -> fault.path().isEmpty() ? fault.message() : fault.path() + ": " + fault.message())
                .toList();
    }
}
