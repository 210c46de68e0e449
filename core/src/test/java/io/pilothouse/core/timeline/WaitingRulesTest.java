package io.pilothouse.core.timeline;

import static io.pilothouse.core.timeline.Scene.WISHED;
import static io.pilothouse.core.timeline.Scene.after;
import static io.pilothouse.core.timeline.Scene.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Tasks.Due;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.timeline.Happening.Call;
import io.pilothouse.core.timeline.Happening.What;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said about what a service waits for. */
class WaitingRulesTest {
    private static final Instant NOW = after(60);
    private static final Due LATER = new Due(after(90), false, false);
    private static final Due SETTLED = new Due(after(90), false, true);
    private static final WaitingRules.Asker ANN = new WaitingRules.Asker("key 'ann'", WISHED);

    private static String said(
            Service service, @Nullable Due due, WaitingRules.@Nullable Asker asker, Happening... newestFirst) {
        Timeline.Kept kept = new Timeline.Kept(List.of(newestFirst), WISHED, null);
        return WaitingRules.sentence(new WaitingRules.Facts(service, due, kept, asker, NOW))
                .text();
    }

    private static Happening start(long second, @Nullable String failure) {
        return Happening.once(after(second), new What.Act(Call.START, Wish.RUN, Condition.STOPPED, failure));
    }

    private static Happening look(long second, Condition condition, @Nullable String text) {
        return Happening.once(after(second), new What.Look(condition, false, text));
    }

    @Test
    void whatRunsWaitsForNothing() {
        String nothing = "It has been running since 2026-03-01T12:00:00Z, and nothing is being waited for.";
        Service running = service(Wish.RUN, Condition.RUNNING);
        assertThat(said(running, SETTLED, ANN)).isEqualTo(nothing);
        assertThat(said(running, null, null)).isEqualTo(nothing);
    }

    @Test
    void whatRunsAndWasChangedIsBeingChanged() {
        assertThat(said(service(Wish.RUN, Condition.RUNNING), LATER, ANN, start(48, null)))
                .isEqualTo("It runs, and what was changed is being brought to it. The plane was asked to start it"
                        + " 12 seconds ago. It is looked at again at 2026-03-01T12:01:30Z.");
    }

    @Test
    void whatIsStoppedSaysByWhom() {
        Service stopped = service(Wish.STOP, Condition.STOPPED);
        assertThat(said(stopped, SETTLED, ANN))
                .isEqualTo("It was stopped by key 'ann' at 2026-03-01T12:00:00Z."
                        + " It stays stopped until it is started.");
        assertThat(said(stopped, SETTLED, null))
                .isEqualTo("It has been stopped since 2026-03-01T12:00:00Z. It stays stopped until it is started.");
    }

    @Test
    void whatSleepsWaitsForUse() {
        assertThat(said(service(Wish.SLEEP, Condition.STOPPED), SETTLED, null))
                .isEqualTo("It has been asleep since 2026-03-01T12:00:00Z, because nobody used it."
                        + " Its next use wakes it.");
    }

    @Test
    void whatStartsSaysWhatThePlaneWasAskedAndWhatItShowedThen() {
        assertThat(said(
                        service(Wish.RUN, Condition.STARTING, false, null),
                        LATER,
                        ANN,
                        look(50, Condition.STARTING, "It waits until another database stops."),
                        start(48, null),
                        look(48, Condition.STOPPED, null)))
                .isEqualTo("It is to run, as key 'ann' asked at 2026-03-01T12:00:00Z. The plane was asked to start it"
                        + " 12 seconds ago. It was first seen starting 10 seconds ago: It waits until another database"
                        + " stops. It is looked at again at 2026-03-01T12:01:30Z.");
    }

    @Test
    void whatWasSeenBeforeTheLastCallIsNotSaid() {
        Service asleep = service(Wish.SLEEP, Condition.STOPPED);
        assertThat(said(
                        asleep.withWish(Wish.RUN, WISHED),
                        LATER,
                        null,
                        start(48, null),
                        look(40, Condition.STOPPED, null)))
                .isEqualTo("It is to run, since 2026-03-01T12:00:00Z. The plane was asked to start it 12 seconds ago."
                        + " It is looked at again at 2026-03-01T12:01:30Z.");
    }

    @Test
    void aCallThatFailsSaysWhyAndHowOftenAndWhenItIsTriedAgain() {
        Happening failed = new Happening(
                after(10), after(57), 4, new What.Act(Call.START, Wish.RUN, Condition.STOPPED, "No room"));
        assertThat(said(service(Wish.RUN, Condition.STOPPED), LATER, null, failed))
                .isEqualTo("It is to run, since 2026-03-01T12:00:00Z. The plane was asked to start it 3 seconds ago,"
                        + " 4 times since 2026-03-01T12:00:10Z, and answered: No room."
                        + " It is tried again at 2026-03-01T12:01:30Z.");
    }

    @Test
    void aLookThatFailsSaysWhy() {
        Service toStop = service(Wish.STOP, Condition.RUNNING);
        assertThat(said(toStop, new Due(after(90), true, false), ANN, look(55, Condition.UNKNOWN, "No answer")))
                .isEqualTo("It is to stop, as key 'ann' asked at 2026-03-01T12:00:00Z. It could not be looked at"
                        + " 5 seconds ago: No answer. It is being looked at now.");
    }

    @Test
    void aCallUnderWayIsAllThereIsToSay() {
        Timeline.Kept kept =
                new Timeline.Kept(List.of(start(10, null)), WISHED, new Timeline.UnderWay(Call.STOP, after(53)));
        Service toSleep = service(Wish.SLEEP, Condition.RUNNING);
        assertThat(WaitingRules.sentence(new WaitingRules.Facts(toSleep, LATER, kept, null, NOW))
                        .text())
                .isEqualTo("It is to sleep, because nobody used it, since 2026-03-01T12:00:00Z. The plane was asked to"
                        + " stop it 7 seconds ago and has not answered yet.");
    }

    @Test
    void whatWasDoneForAnEarlierWishIsNotSaid() {
        assertThat(said(
                        service(Wish.DELETE, Condition.RUNNING),
                        new Due(after(60), false, false),
                        ANN,
                        start(-5, null),
                        look(-5, Condition.RUNNING, null)))
                .isEqualTo("It is to be deleted, as key 'ann' asked at 2026-03-01T12:00:00Z."
                        + " It is to be looked at now, as soon as its turn comes.");
    }

    @Test
    void aTroubleIsSaidFirst() {
        Service down = service(Wish.RUN, Condition.STARTING, true, "The database was ended by signal 9.");
        assertThat(said(down, LATER, null, look(59, Condition.STARTING, null)))
                .isEqualTo("The database was ended by signal 9. It is to run, since 2026-03-01T12:00:00Z."
                        + " It was first seen starting 1 second ago. It is looked at again at 2026-03-01T12:01:30Z.");
        Service limping = service(Wish.RUN, Condition.RUNNING, true, "A disk is full");
        assertThat(said(limping, SETTLED, null))
                .isEqualTo("A disk is full. It is looked at again at 2026-03-01T12:01:30Z.");
        Service stuck = service(Wish.STOP, Condition.RUNNING, true, "It did not stop within 5 minutes");
        assertThat(said(stuck, null, null))
                .isEqualTo("It did not stop within 5 minutes. It is to stop, since 2026-03-01T12:00:00Z.");
    }

    @Test
    void whatIsLostIsOnlyLookedAt() {
        assertThat(said(service(Wish.RUN, Condition.LOST, true, "Its data is not where it was."), LATER, ANN))
                .isEqualTo("Its data is not where it was. It is looked at again at 2026-03-01T12:01:30Z.");
        assertThat(said(service(Wish.STOP, Condition.LOST), null, ANN)).isEqualTo("Its data is not there.");
    }

    @Test
    void theActivityThatAskedForAWishIsKnown() {
        List<String> types =
                List.of("service_create", "service_start", "service_awaken", "service_stop", "service_delete");
        assertThat(types)
                .filteredOn(type -> WaitingRules.asksFor(service(Wish.RUN, Condition.RUNNING), type))
                .containsExactly("service_create", "service_start", "service_awaken");
        assertThat(types)
                .filteredOn(type -> WaitingRules.asksFor(service(Wish.STOP, Condition.RUNNING), type))
                .containsExactly("service_stop");
        assertThat(types)
                .filteredOn(type -> WaitingRules.asksFor(service(Wish.DELETE, Condition.RUNNING), type))
                .containsExactly("service_delete");
        assertThat(types)
                .filteredOn(type -> WaitingRules.asksFor(service(Wish.SLEEP, Condition.RUNNING), type))
                .isEmpty();
    }

    @Test
    void anActivityThatOnlyRepeatsAChangeOfStateIsKnown() {
        What running = new What.Turn(ServiceState.STARTING, ServiceState.RUNNING, null);
        What idle = new What.Turn(ServiceState.STOPPING, ServiceState.IDLE, null);
        assertThat(WaitingRules.repeats("service_running", running)).isTrue();
        assertThat(WaitingRules.repeats("service_idle", idle)).isTrue();
        assertThat(WaitingRules.repeats("service_idle", running)).isFalse();
        assertThat(WaitingRules.repeats("service_running", idle)).isFalse();
        assertThat(WaitingRules.repeats("service_running", new What.Look(Condition.RUNNING, true, null)))
                .isFalse();
    }
}
