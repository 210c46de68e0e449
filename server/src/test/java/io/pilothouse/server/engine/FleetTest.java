package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet of any size settles in the same steps, whatever becomes of some of its services. */
class FleetTest {
    private static final Duration START_TIME = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** The cost of settling a fleet: the time on its own clock, and the calls to store and plane. */
    private record Course(Duration untilHealthyRun, long reads, long writes, int looksAtLast) {}

    private final Logger failures = Logger.getLogger("io.pilothouse.core.engine.PlannedPass");

    @BeforeEach
    void expectFailures() {
        failures.setLevel(Level.OFF);
    }

    @AfterEach
    void expectNoMoreFailures() {
        failures.setLevel(null);
    }

    private static boolean fails(UUID id) {
        return (id.getLeastSignificantBits() & 0xFFFF) % 20 == 3;
    }

    private Course settle(int size, Path store) throws InterruptedException {
        SimTime time = new SimTime();
        FakePlane plane = new FakePlane(time, START_TIME, START_TIME);
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START && !done && fails(service.id())) {
                throw new PlaneFault("No room for this one");
            }
        });
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                Fleet fleet = new Fleet(store, time)) {
            WatchedStore watched = new WatchedStore(fleet.store(), where -> {});
            Dispatcher dispatcher = ControlPlane.of(watched, plane, time)
                    .with(executor)
                    .withSlots(256, 0)
                    .withRoutine(Duration.ofDays(1))
                    .dispatcher("one");
            fleet.create(0, size);
            Instant start = time.now();
            int failing = size / 20;
            settleAllBut(failing, fleet, dispatcher, time);
            for (int number = 0; number < size; number++) {
                UUID id = Fleet.id(number);
                assertThat(fleet.state(id)).isEqualTo(fails(id) ? "provisioning" : "running");
            }
            return new Course(
                    Duration.between(start, time.now()),
                    watched.reads(),
                    watched.writes(),
                    plane.looks(Fleet.id(size - 1)));
        }
    }

    private static void settleAllBut(int failing, Fleet fleet, Dispatcher dispatcher, SimTime time)
            throws InterruptedException {
        while (true) {
            dispatcher.turn();
            assertThat(dispatcher.awaitQuiet(LONG)).isTrue();
            if (fleet.backlog().unsettled() <= failing) {
                return;
            }
            // A turn ends when the slots are full: time only moves on when nothing is left to do at this moment.
            time.advanceTo(fleet.nextDue());
        }
    }

    @Test
    void tenThousandServicesSettleInTheStepsOfAHundredThoughSomeFail() throws InterruptedException {
        Course hundred = settle(100, folder.resolve("hundred"));
        Course tenThousand = settle(10_000, folder.resolve("ten-thousand"));
        assertThat(tenThousand.untilHealthyRun())
                .as("the last of many healthy ones waits for none of the failing ones")
                .isEqualTo(hundred.untilHealthyRun())
                .isEqualTo(Duration.ofMillis(250));
        assertThat(tenThousand.looksAtLast()).isEqualTo(hundred.looksAtLast()).isEqualTo(2);
        assertThat(tenThousand.reads()).isLessThanOrEqualTo(hundred.reads() * 100);
        assertThat(tenThousand.writes()).isLessThanOrEqualTo(hundred.writes() * 100);
    }
}
