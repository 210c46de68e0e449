package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.FakePlane.Effect;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is served when, and by which process. */
class DispatcherTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SimTime time = new SimTime();
    private final FakePlane plane = new FakePlane(time, Duration.ZERO, Duration.ZERO);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch release = new CountDownLatch(1);

    /** The services whose start hangs until it is released. */
    private final Set<Service> hanging = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    private Fleet fleet;
    private ControlPlane controlPlane;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder, time);
        controlPlane = ControlPlane.of(fleet.store(), plane, time);
    }

    @AfterEach
    void close() {
        release.countDown();
        executor.close();
        fleet.close();
    }

    private void hangAtStart(int from, int to) {
        plane.trap((deed, service, done) -> {
            long number = service.id().getLeastSignificantBits() & 0xFFFF;
            if (deed == Deed.START && !done && number >= from && number < to) {
                hanging.add(service);
                hang();
            }
        });
    }

    private void hang() throws PlaneFault {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("Interrupted", e);
        }
    }

    private static void until(BooleanSupplier met) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!met.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited long enough").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void clockThatGoesBackHoldsUpNothing() {
        Dispatcher dispatcher = controlPlane.dispatcher("one");
        dispatcher.turn();
        fleet.create(Fleet.id(1));
        time.setBack(Duration.ofDays(1));
        dispatcher.turn();
        time.advance(Duration.ofSeconds(1));
        dispatcher.turn();
        assertThat(fleet.state(Fleet.id(1))).isEqualTo("running");
    }

    @Test
    void clockThatWentBackWhileTheProgramWasStoppedHoldsUpNothing() {
        fleet.create(Fleet.id(1));
        fleet.store()
                .write(tables ->
                        tables.tasks().claim("killed", time.now(), time.now().plus(DispatchLimits.USUAL.lease()), 1));
        fleet.create(Fleet.id(2));
        time.setBack(Duration.ofDays(1));
        Dispatcher dispatcher = controlPlane.dispatcher("two");
        dispatcher.takeOver();
        dispatcher.turn();
        time.advance(Duration.ofSeconds(1));
        dispatcher.turn();
        assertThat(fleet.state(Fleet.id(1))).isEqualTo("running");
        assertThat(fleet.state(Fleet.id(2))).isEqualTo("running");
    }

    @Test
    void whatFailedUnderADeadProgramIsTriedAtOnceByTheNext() {
        plane.trap((deed, service, done) -> {
            throw new PlaneFault("The program is dying");
        });
        fleet.create(Fleet.id(1));
        Dispatcher dispatcher = controlPlane.dispatcher("dying");
        Instant next = dispatcher.turn();
        while (Duration.between(time.now(), next).compareTo(Duration.ofSeconds(4)) < 0) {
            time.advanceTo(next);
            next = dispatcher.turn();
        }
        plane.trap((deed, service, done) -> {});
        Dispatcher restarted = controlPlane.dispatcher("restarted");
        restarted.turn();
        assertThat(plane.effects()).as("it backs off").isEmpty();
        restarted.takeOver();
        restarted.turn();
        time.advance(Duration.ofSeconds(1));
        restarted.turn();
        assertThat(fleet.state(Fleet.id(1))).isEqualTo("running");
    }

    @Test
    void newServicesAreServedBeforeABacklogOfOthers() {
        for (int number = 0; number < 50; number++) {
            fleet.create(Fleet.id(number), Urgency.ROUTINE);
        }
        for (int number = 50; number < 60; number++) {
            fleet.create(Fleet.id(number), Urgency.CHANGED);
        }
        time.advance(Duration.ofSeconds(1));
        fleet.create(Fleet.id(99), Urgency.NEW);
        controlPlane.withSlots(1, 0).dispatcher("one").turn();
        List<Effect> effects = plane.effects();
        assertThat(effects.getFirst()).isEqualTo(new Effect(Deed.START, Fleet.id(99)));
        assertThat(effects.subList(1, 11))
                .allSatisfy(effect -> assertThat(effect.serviceId()).isBetween(Fleet.id(50), Fleet.id(59)));
        assertThat(effects).hasSize(61);
    }

    @Test
    void noMorePassesRunAtOnceThanThereAreSlots() {
        fleet.create(0, 20);
        hangAtStart(0, 20);
        Dispatcher dispatcher = controlPlane.with(executor).withSlots(4, 0).dispatcher("one");
        dispatcher.turn();
        until(() -> hanging.size() == 4);
        assertThat(dispatcher.running()).isEqualTo(4);
        assertThat(fleet.backlog().due()).isEqualTo(16);
        time.advance(Duration.ofSeconds(1));
        dispatcher.turn();
        assertThat(dispatcher.running()).isEqualTo(4);
    }

    @Test
    void slowServicesHoldUpNoOther() throws InterruptedException {
        fleet.create(0, 24);
        hangAtStart(0, 6);
        Dispatcher dispatcher = controlPlane.with(executor).withSlots(2, 6).dispatcher("one");
        for (int turn = 0; turn < 12; turn++) {
            Instant next = dispatcher.turn();
            int hung = Math.min(6, 2 * turn + 2);
            until(() -> hanging.size() == hung && dispatcher.running() == hung);
            time.advanceTo(next);
        }
        while (fleet.backlog().due() > 0) {
            dispatcher.turn();
            until(() -> dispatcher.running() == 6);
        }
        for (int number = 6; number < 24; number++) {
            assertThat(plane.condition(Fleet.id(number))).isEqualTo(Condition.RUNNING);
        }
        release.countDown();
        assertThat(dispatcher.awaitQuiet(LONG)).isTrue();
    }

    @Test
    void leaseOfALongPassIsExtendedSoThatNoOtherProcessTakesItsService() {
        fleet.create(0, 1);
        hangAtStart(0, 1);
        Dispatcher one = controlPlane.with(executor).dispatcher("one");
        Dispatcher two = controlPlane.dispatcher("two");
        Instant next = one.turn();
        until(() -> hanging.size() == 1);
        for (int turn = 0; turn < 20; turn++) {
            assertThat(next).isAfter(time.now());
            time.advanceTo(next);
            next = one.turn();
            two.turn();
        }
        assertThat(Duration.between(hanging.iterator().next().createdAt(), time.now()))
                .isGreaterThan(DispatchLimits.USUAL.lease().multipliedBy(3));
        assertThat(plane.looks(Fleet.id(0))).isEqualTo(1);
        release.countDown();
        until(() -> one.running() == 0);
        assertThat(plane.effects()).hasSize(1);
    }

    @Test
    void leasesInALongBacklogBeginWhenTheyAreClaimed() {
        fleet.create(0, 4);
        List<UUID> stolen = new ArrayList<>();
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START && !done) {
                time.advance(DispatchLimits.USUAL.lease().minusSeconds(1));
                if (claimable().contains(service.id())) {
                    stolen.add(service.id());
                }
            }
        });
        controlPlane.withSlots(1, 0).dispatcher("one").turn();
        assertThat(plane.effects()).hasSize(4);
        assertThat(stolen).isEmpty();
    }

    /** The services that another process could take at this moment; it does not keep them. */
    private List<UUID> claimable() {
        return fleet.store().write(tables -> {
            List<Claim> claims = tables.tasks().claim("two", time.now(), time.now(), 100);
            Release back = new Release(time.now(), Urgency.NEW, 0, false);
            claims.forEach(claim -> tables.tasks().release(claim, back, time.now()));
            return claims.stream().map(Claim::subjectId).toList();
        });
    }

    @Test
    void tasksOfADeadProcessAreTakenOverWhenTheirLeasesEnd() {
        fleet.create(0, 1);
        fleet.store()
                .write(tables ->
                        tables.tasks().claim("dead", time.now(), time.now().plus(DispatchLimits.USUAL.lease()), 1));
        Dispatcher two = controlPlane.dispatcher("two");
        two.turn();
        assertThat(plane.effects()).isEmpty();
        time.advance(DispatchLimits.USUAL.lease());
        two.turn();
        assertThat(plane.effects()).hasSize(1);
    }

    @Test
    void twoProcessesShareTheWorkAndDoNoneOfItTwice() {
        fleet.create(0, 200);
        List<Dispatcher> processes = List.of(
                controlPlane.with(executor).withSlots(8, 0).dispatcher("one"),
                controlPlane.with(executor).withSlots(8, 0).dispatcher("two"));
        for (int turn = 0; turn < 200 && fleet.backlog().unsettled() > 0; turn++) {
            processes.forEach(Dispatcher::turn);
            until(() -> processes.stream().allMatch(process -> process.running() == 0));
            if (fleet.backlog().due() == 0) {
                time.advance(Duration.ofMillis(250));
            }
        }
        assertThat(fleet.backlog().unsettled()).isZero();
        assertThat(plane.effects()).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void nudgeStartsTheWorkAtOnce() throws InterruptedException {
        Dispatcher dispatcher = running(controlPlane.withPoll(Duration.ofDays(1)));
        until(() -> dispatcher.running() == 0);
        fleet.create(0, 3);
        dispatcher.nudge();
        until(() -> plane.effects().size() == 3);
        assertThat(dispatcher.stop(LONG)).isTrue();
    }

    @Test
    void workIsFoundWithoutANudge() throws InterruptedException {
        Dispatcher dispatcher = running(controlPlane.withPoll(Duration.ofMillis(5)));
        fleet.create(0, 3);
        until(() -> plane.effects().size() == 3);
        assertThat(dispatcher.stop(LONG)).isTrue();
    }

    private Dispatcher running(ControlPlane made) {
        Dispatcher dispatcher = made.with(executor).dispatcher("one");
        dispatcher.start();
        return dispatcher;
    }

    @Test
    void settledIsKnownWithoutGuessing() throws InterruptedException {
        Dispatcher dispatcher = controlPlane.with(executor).dispatcher("one");
        assertThat(dispatcher.awaitSettled(Duration.ZERO)).isTrue();
        fleet.create(0, 3);
        assertThat(dispatcher.awaitSettled(Duration.ofMillis(10))).isFalse();
        dispatcher.turn();
        assertThat(dispatcher.awaitQuiet(LONG)).isTrue();
        time.advance(Duration.ofSeconds(1));
        dispatcher.turn();
        assertThat(dispatcher.awaitSettled(LONG)).isTrue();
        assertThat(fleet.state(Fleet.id(0))).isEqualTo("running");
    }

    @Test
    void stopTakesNothingMoreOnAndLetsPassesEnd() throws InterruptedException {
        fleet.create(0, 1);
        hangAtStart(0, 1);
        Dispatcher dispatcher = running(controlPlane);
        until(() -> hanging.size() == 1);
        executor.execute(() -> {
            until(() -> dispatcher.turn().isAfter(time.now().plusSeconds(1)));
            release.countDown();
        });
        assertThat(dispatcher.stop(LONG)).isTrue();
        assertThat(fleet.get(Fleet.id(0)).seen().condition()).isEqualTo(Condition.STARTING);
        fleet.create(1, 2);
        time.advance(Duration.ofHours(1));
        dispatcher.turn();
        assertThat(plane.effects()).hasSize(1);
    }

    @Test
    void stopLetsGoOfWhatDoesNotEnd() throws InterruptedException {
        fleet.create(0, 1);
        hangAtStart(0, 1);
        Dispatcher dispatcher = running(controlPlane);
        until(() -> hanging.size() == 1);
        assertThat(dispatcher.stop(Duration.ofMillis(20))).isFalse();
        hanging.clear();
        plane.trap((deed, service, done) -> {});
        Dispatcher next = controlPlane.dispatcher("two");
        next.turn();
        Service taken = fleet.get(Fleet.id(0));
        assertThat(taken.seen().condition()).isEqualTo(Condition.STARTING);
        release.countDown();
        assertThat(dispatcher.awaitQuiet(LONG)).isTrue();
        assertThat(fleet.get(Fleet.id(0))).as("the late pass lost its lease").isEqualTo(taken);
    }

    @Test
    void closedExecutorLosesNoTask() {
        ExecutorService closed = Executors.newVirtualThreadPerTaskExecutor();
        closed.close();
        fleet.create(0, 2);
        controlPlane.with(closed).dispatcher("one").turn();
        assertThat(plane.effects()).isEmpty();
        time.advance(Duration.ofSeconds(5));
        controlPlane.dispatcher("two").turn();
        assertThat(plane.effects()).hasSize(2);
    }

    @Test
    void everyKindOfTaskHasItsPass() {
        assertThatThrownBy(() -> new Dispatcher(
                        fleet.store(), time, Map.of(), executor, "one", DispatchLimits.USUAL, Pace.USUAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No pass looks after SERVICE");
    }

    @Test
    void interruptedEngineEnds() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        ControlPlane made =
                controlPlane.with(task -> threads.add(Thread.ofVirtual().start(task)));
        Dispatcher dispatcher = made.withPoll(Duration.ofDays(1)).dispatcher("one");
        dispatcher.start();
        threads.getFirst().interrupt();
        assertThat(threads.getFirst().join(LONG)).isTrue();
        assertThat(dispatcher.stop(LONG)).isTrue();
    }
}
