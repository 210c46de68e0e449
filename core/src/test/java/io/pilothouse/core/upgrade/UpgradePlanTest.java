package io.pilothouse.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Offer;
import io.pilothouse.core.service.PlanScene;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Pin;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.upgrade.UpgradePlan.Scene;
import io.pilothouse.core.upgrade.UpgradePlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every case of which version a service is to run on. */
class UpgradePlanTest {
    /** A Thursday; the services of the scenes want what they want since then. */
    private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

    private static final Instant NOW = BEGAN.plus(Duration.ofDays(100));
    private static final Scene NOTHING_ELSE = new Scene(List.of(), Map.of(), null, false, false);

    private final UpgradePlan plan = new UpgradePlan(UpgradeTerms.USUAL, BEGAN);

    private static Service service(Wish wish, Condition condition, @Nullable Pin pin) {
        return PlanScene.of(wish, condition, condition).ran().service().withPin(pin);
    }

    private static Service running(@Nullable Pin pin) {
        return service(Wish.RUN, Condition.RUNNING, pin);
    }

    private static Service onChannel(Service service, String channel) {
        Service.Details was = service.details();
        return service.withDetails(
                new Service.Details(was.name(), was.encryption(), channel, was.tags(), was.fields()));
    }

    private static Service complaining(Service service) {
        return service.withSeen(service.seen().withTrouble("It does not start"));
    }

    private static Scene offering(String... versions) {
        return offering(NOTHING_ELSE, Duration.ofDays(99), versions);
    }

    private static Scene offering(Scene rest, Duration age, String... versions) {
        List<Offer> offers = Arrays.stream(versions)
                .map(version -> new Offer(version, NOW.minus(age)))
                .toList();
        return new Scene(offers, rest.failures(), rest.window(), rest.othersMove(), rest.needed());
    }

    private static Pin on(String version) {
        return Pin.on(version, BEGAN);
    }

    private Step next(Service service, Scene scene) {
        return plan.next(service, scene, NOW);
    }

    @Test
    void whatHasNoVersionYetIsNotedToRunOnTheNewest() {
        assertThat(next(running(null), offering("26.5.3", "26.10.1", "26.7.3")))
                .isEqualTo(new Step.Note(Pin.on("26.10.1", NOW)));
        assertThat(next(running(null), NOTHING_ELSE)).isEqualTo(new Step.Stay());
        assertThat(next(service(Wish.DELETE, Condition.RUNNING, null), offering("26.5.3")))
                .isEqualTo(new Step.Stay());
    }

    @ParameterizedTest
    @CsvSource({
        "fast, 0, true",
        "default, 6, false",
        "default, 7, true",
        "slow, 27, false",
        "slow, 28, true",
    })
    void eachChannelTakesAVersionOnceItHasBeenThereForItsTime(String channel, int days, boolean moves) {
        Service service = onChannel(running(on("26.5.3")), channel);
        Scene scene = offering(NOTHING_ELSE, Duration.ofDays(days), "26.5.3", "26.7.3");
        assertThat(next(service, scene))
                .isEqualTo(moves ? new Step.Move(new Pin("26.7.3", "26.5.3", NOW, null)) : new Step.Stay());
    }

    @ParameterizedTest
    @CsvSource({
        // wish, condition, others move, needed, open window, moves
        "RUN, RUNNING, false, false, true, true",
        "RUN, RUNNING, true, false, true, false",
        "RUN, RUNNING, false, true, true, false",
        "RUN, RUNNING, false, false, false, false",
        "RUN, STARTING, false, false, true, false",
        "RUN, BROKEN, false, false, true, false",
        "SLEEP, STOPPED, true, false, true, true",
        "SLEEP, STOPPING, false, false, true, false",
        "STOP, STOPPED, false, false, false, false",
        "STOP, STOPPED, false, true, true, false",
    })
    void oneThatRestsMovesInItsWindowAndOneThatRunsOnlyWhenNoOtherDoes(
            Wish wish, Condition condition, boolean others, boolean needed, boolean open, boolean moves) {
        Tree.Members window = Tree.Members.NONE
                .with(
                        "weekday",
                        new Tree.Figure(
                                NOW.atZone(ZoneOffset.UTC).getDayOfWeek().getValue() % 7))
                .with("startHourUtc", new Tree.Figure(open ? 0 : 12));
        Scene scene = offering(
                new Scene(List.of(), Map.of(), window, others, needed), Duration.ofDays(99), "26.5.3", "26.7.3");
        assertThat(next(service(wish, condition, on("26.5.3")), scene))
                .isEqualTo(moves ? new Step.Move(new Pin("26.7.3", "26.5.3", NOW, null)) : new Step.Stay());
    }

    @Test
    void oneThatComplainsIsLeftAlone() {
        assertThat(next(complaining(running(on("26.5.3"))), offering("26.5.3", "26.7.3")))
                .isEqualTo(new Step.Stay());
    }

    @Test
    void nothingGoesToAnOlderVersionThanItsOwn() {
        assertThat(next(running(on("26.7.3")), offering("26.5.3", "26.7.3"))).isEqualTo(new Step.Stay());
    }

    @Test
    void versionThatFailedItIsNotTriedAgainButANewerOneIs() {
        Pin failed = new Pin("26.5.3", null, BEGAN, "26.7.3");
        assertThat(next(running(failed), offering("26.5.3", "26.7.3"))).isEqualTo(new Step.Stay());
        assertThat(next(running(failed), offering("26.5.3", "26.7.3", "26.8.1")))
                .isEqualTo(new Step.Move(new Pin("26.8.1", "26.5.3", NOW, "26.7.3")));
    }

    @ParameterizedTest
    @CsvSource({"23, false", "24, true"})
    void versionThatFailedAnotherServiceIsLeftForADay(int hours, boolean moves) {
        Scene scene = new Scene(List.of(), Map.of("26.7.3", NOW.minus(Duration.ofHours(hours))), null, false, false);
        assertThat(next(running(on("26.5.3")), offering(scene, Duration.ofDays(99), "26.5.3", "26.7.3")))
                .isEqualTo(moves ? new Step.Move(new Pin("26.7.3", "26.5.3", NOW, null)) : new Step.Stay());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                // its own, what is there, where it goes
                "26.5.3, 26.7.3 26.8.1, 26.7.3",
                "26.7.3, 26.5.0 26.5.3, 26.5.3",
                "26.7.3, 18.16.1, none",
                "26.7.3, 18.16.1 26.1, 26.1",
                "unknown, 26.7.3, 26.7.3",
                "26.7.3, unknown, unknown",
            })
    void versionThatIsGoneIsReplacedAtOnceByOneThatOpensItsData(String own, String there, @Nullable String then) {
        Scene closed = new Scene(List.of(), Map.of(), null, true, true);
        Service service = service(Wish.RUN, Condition.BROKEN, on(own));
        assertThat(next(service, offering(closed, Duration.ZERO, there.split(" ", -1))))
                .isEqualTo(then == null ? new Step.Stay() : new Step.Move(new Pin(then, own, NOW, null)));
    }

    private Step tried(Service service, Duration ago, String before, String... there) {
        Pin pin = new Pin("26.7.3", before, NOW.minus(ago), null);
        return next(service.withPin(pin), offering(there));
    }

    @Test
    void oneThatDoesNotComeUpInTimeGoesBack() {
        Service starting = service(Wish.RUN, Condition.STARTING, null);
        Step back = new Step.Back(new Pin("26.5.3", null, NOW, "26.7.3"));
        String[] there = {"26.5.3", "26.7.3"};
        assertThat(tried(starting, Duration.ofSeconds(299), "26.5.3", there)).isEqualTo(new Step.Stay());
        assertThat(tried(starting, Duration.ofMinutes(5), "26.5.3", there)).isEqualTo(back);

        assertThat(tried(complaining(starting), Duration.ofSeconds(59), "26.5.3", there))
                .isEqualTo(new Step.Stay());
        assertThat(tried(complaining(starting), Duration.ofMinutes(1), "26.5.3", there))
                .isEqualTo(back);
    }

    @Test
    void timeInWhichTheProgramDidNotRunDoesNotCount() {
        UpgradePlan fresh = new UpgradePlan(UpgradeTerms.USUAL, NOW.minus(Duration.ofMinutes(4)));
        Pin pin = new Pin("26.7.3", "26.5.3", NOW.minus(Duration.ofHours(1)), null);
        Service starting = complaining(service(Wish.RUN, Condition.STARTING, pin));
        Scene scene = offering("26.5.3", "26.7.3");
        assertThat(fresh.next(starting, scene, NOW)).isEqualTo(new Step.Stay());
        Instant later = NOW.plus(Duration.ofMinutes(1));
        assertThat(fresh.next(starting, scene, later)).isInstanceOf(Step.Back.class);
    }

    @Test
    void oneThatWasAskedToStartAfterwardsHasItsTimeFromThen() {
        Service woken = service(Wish.RUN, Condition.STARTING, null);
        Instant asked = NOW.minus(Duration.ofMinutes(2));
        Service late = complaining(woken.withWish(Wish.RUN, asked));
        assertThat(tried(late, Duration.ofHours(1), "26.5.3", "26.5.3", "26.7.3"))
                .as("it may wait for memory")
                .isEqualTo(new Step.Stay());
        assertThat(tried(
                        service(Wish.SLEEP, Condition.STOPPED, null), Duration.ofDays(9), "26.5.3", "26.5.3", "26.7.3"))
                .isEqualTo(new Step.Stay());
    }

    @Test
    void thereIsNoWayBackToAVersionThatIsGoneOrDoesNotOpenTheData() {
        Service starting = service(Wish.RUN, Condition.STARTING, null);
        Step remain = new Step.Remain(new Pin("26.7.3", null, NOW, "26.7.3"));
        assertThat(tried(starting, Duration.ofHours(1), "18.16.1", "18.16.1", "26.7.3"))
                .isEqualTo(remain);
        assertThat(tried(starting, Duration.ofHours(1), "26.5.3", "26.7.3")).isEqualTo(remain);
    }

    @Test
    void versionsFollowEachOtherByTheirNumbers() {
        assertThat(new Version("25.10").isNewerThan(new Version("25.9"))).isTrue();
        assertThat(new Version("25.9").isNewerThan(new Version("25.9.1"))).isFalse();
        assertThat(new Version("26.7.3-stable.1").isNewerThan(new Version("26.7.3")))
                .isTrue();
        assertThat(new Version("v25.9")).isEqualByComparingTo(new Version("25.9"));
        assertThat(new Version("25.9").opensDataOf(new Version("26.1"))).isFalse();
        assertThat(new Version("26.1").opensDataOf(new Version("25.9"))).isTrue();
    }
}
