package io.pilothouse.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.server.log.QuietLog;
import io.pilothouse.server.store.StoreClock;
import io.pilothouse.store.PostgresStore.ServerTime;
import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.simulation.SimClocks;
import io.pilothouse.testkit.simulation.Simulation;
import io.pilothouse.testkit.simulation.Simulation.Outcome;
import io.pilothouse.testkit.simulation.Simulation.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lives of three processes that share a store, with the clock, the leases and the claims of the program. They stop and
 * come back, die, leave, join and are cut off, from a seed that is printed.
 */
class ThreeProcessesTest {
    private static final int NIGHTS = 40;
    private static final int FULL_NIGHTS = 5_000;
    private static final int NIGHTS_TO_FIND_A_DEFECT = 20;

    @TempDir
    private Path folder;

    private QuietLog log;

    @BeforeEach
    void keepQuiet() {
        log = new QuietLog();
    }

    @AfterEach
    void speakAgain() {
        log.close();
    }

    /** As the program keeps the time of a store in PostgreSQL. */
    private static SimClocks clocks() {
        return (machine, ticks, server) -> {
            StoreClock clock = new StoreClock(machine, ticks, () -> time(server));
            return new SimClocks.Kept(clock, clock::follow);
        };
    }

    private static ServerTime time(Supplier<SimClocks.Reading> server) {
        SimClocks.Reading read = server.get();
        return new ServerTime(read.time(), read.tick(), read.trip());
    }

    @Test
    void everyNightEndsWellWhoeverStopsAndComesBack() {
        Walk walk = Walk.begin(ThreeProcessesTest.class);
        int nights = Integer.getInteger("pilothouse.nights", Walk.length(NIGHTS, FULL_NIGHTS));
        int lanes = Math.max(2, Runtime.getRuntime().availableProcessors());
        long begun = System.nanoTime();
        List<Outcome> outcomes = IntStream.range(0, lanes)
                .parallel()
                .mapToObj(lane -> live(walk.seed(), lane, lanes, nights))
                .flatMap(List::stream)
                .toList();
        long steps = outcomes.stream().mapToLong(Outcome::steps).sum();
        long late = outcomes.stream().mapToLong(Outcome::late).sum();
        int starts = outcomes.stream().mapToInt(Outcome::starts).sum();
        System.out.printf(
                "%d nights, %d steps, %d starts of a process, %d times too late, in %.0f s%n",
                nights, steps, starts, late, (System.nanoTime() - begun) / 1e9);
        assertThat(outcomes).hasSize(nights);
        assertThat(late).as("how often a process came back too late").isGreaterThan(nights);
        assertThat(log.errors()).as("what was logged as a bug").isEmpty();
    }

    private List<Outcome> live(long seed, int first, int step, int nights) {
        return SimulatedStore.with(folder, UnaryOperator.identity(), store -> {
            List<Outcome> outcomes = new ArrayList<>();
            for (int night = first; night < nights; night += step) {
                outcomes.add(Simulation.run(seed + night, store, clocks(), Plan.THREE));
            }
            return outcomes;
        });
    }

    @Test
    void aSeedOfThreeIsLivedInTheSameWayEachTime() {
        long seed = Walk.begin(ThreeProcessesTest.class).seed();
        Outcome first = night(seed);

        assertThat(night(seed)).isEqualTo(first);
    }

    private Outcome night(long seed) {
        return SimulatedStore.with(
                folder, UnaryOperator.identity(), store -> Simulation.run(seed, store, clocks(), Plan.THREE));
    }

    @Test
    void aStoreThatIgnoresTheTokenOfALeaseIsFound() {
        finds(
                Defects::ignoringTokens,
                clocks(),
                ".*(A claim that was lost still counts|had lost its lease has changed something): .*");
    }

    @Test
    void aStoreThatEndsTheLeasesOfOthersIsFound() {
        finds(Defects::endingLeases, clocks(), ".*A task was taken that another process has: .*");
    }

    @Test
    void aLeaseThatOutlastsItsProcessIsFound() {
        finds(
                Defects::makingLongLeases,
                clocks(),
                ".*(Nobody does the work of a dead process: |A process has stopped and kept ).*");
    }

    @Test
    void processesThatTrustTheirOwnClocksAreFound() {
        finds(UnaryOperator.identity(), SimClocks.OF_THE_MACHINE, ".* ends badly .*");
    }

    private void finds(UnaryOperator<Store> defect, SimClocks clocks, String found) {
        long from = Walk.begin(ThreeProcessesTest.class).seed();
        for (long seed = from; seed < from + NIGHTS_TO_FIND_A_DEFECT; seed++) {
            String end = end(defect, clocks, seed);
            if (!end.isEmpty()) {
                assertThat(end).contains("Seed " + seed + " ").matches("(?s)" + found);
                return;
            }
        }
        throw new AssertionError(
                "The defect was not found in " + NIGHTS_TO_FIND_A_DEFECT + " nights from seed " + from);
    }

    /** How a night ended badly; empty if it ended well. */
    private String end(UnaryOperator<Store> defect, SimClocks clocks, long seed) {
        return SimulatedStore.with(folder, defect, store -> {
            try {
                Simulation.run(seed, store, clocks, Plan.THREE);
                return "";
            } catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        });
    }
}
