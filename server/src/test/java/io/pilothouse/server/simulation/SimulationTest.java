package io.pilothouse.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.server.log.QuietLog;
import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.simulation.Simulation;
import io.pilothouse.testkit.simulation.Simulation.Outcome;
import io.pilothouse.testkit.simulation.Simulation.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole lives of a control plane, in which everything goes wrong, from a seed that is printed. */
class SimulationTest {
    private static final int WEEKS = 1_000;

    /** At least an hour, and far more than a million steps. */
    private static final int FULL_WEEKS = 30_000;

    private static final int STORMS_TO_FIND_A_DEFECT = 40;

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

    @Test
    void everyWeekEndsWellWhateverGoesWrong() {
        Walk walk = Walk.begin(SimulationTest.class);
        int weeks = Integer.getInteger("pilothouse.weeks", Walk.length(WEEKS, FULL_WEEKS));
        int lanes = Math.max(2, Runtime.getRuntime().availableProcessors());
        long begun = System.nanoTime();
        List<Outcome> outcomes = IntStream.range(0, lanes)
                .parallel()
                .mapToObj(lane -> live(walk.seed(), lane, lanes, weeks))
                .flatMap(List::stream)
                .toList();
        long steps = outcomes.stream().mapToLong(Outcome::steps).sum();
        int deaths = outcomes.stream().mapToInt(Outcome::starts).sum() - weeks;
        System.out.printf(
                "%d weeks, %d steps, %d deaths of the process in %.0f s%n",
                weeks, steps, deaths, (System.nanoTime() - begun) / 1e9);
        assertThat(outcomes).hasSize(weeks);
        assertThat(deaths).isGreaterThan(weeks);
        assertThat(log.errors()).as("what was logged as a bug").isEmpty();
    }

    private List<Outcome> live(long seed, int first, int step, int weeks) {
        return with(UnaryOperator.identity(), store -> {
            List<Outcome> outcomes = new ArrayList<>();
            for (int week = first; week < weeks; week += step) {
                outcomes.add(Simulation.run(seed + week, store, Plan.WEEK));
            }
            return outcomes;
        });
    }

    @Test
    void aSeedIsLivedInTheSameWayEachTime() {
        long seed = Walk.begin(SimulationTest.class).seed();
        List<Outcome> first = with(UnaryOperator.identity(), store -> lives(seed, store));
        List<Outcome> again = with(UnaryOperator.identity(), store -> lives(seed, store));

        assertThat(again).isEqualTo(first);
        assertThat(first).extracting(Outcome::hash).doesNotHaveDuplicates();
    }

    private static List<Outcome> lives(long seed, Store store) {
        return IntStream.range(0, 5)
                .mapToObj(week -> Simulation.run(seed + week, store, Plan.WEEK))
                .toList();
    }

    @Test
    void aStoreThatForgetsWhatItAcknowledgedIsFound() {
        finds(Defects::forgetful, "(?s).* ends badly .*");
    }

    @Test
    void aPortThatIsGivenTwiceIsFound() {
        finds(Defects::givingPortsTwice, "(?s).*(Port \\d+ has two services|An engine at a port that another has).*");
    }

    @Test
    void aMessageThatOvertakesIsFound() {
        finds(Defects::overtaking, "(?s).*Message .* has overtaken .*");
    }

    @Test
    void aPipeThatOutlivesItsServiceIsFound() {
        finds(Defects::losingSightOfPipes, "(?s).*Pipe .* outlives its service .*");
    }

    /** The error tells the seed, and the same seed ends in the same way again. */
    private void finds(UnaryOperator<Store> defect, String found) {
        long from = Walk.begin(SimulationTest.class).seed();
        for (long seed = from; seed < from + STORMS_TO_FIND_A_DEFECT; seed++) {
            String end = end(defect, seed);
            if (!end.isEmpty()) {
                assertThat(end).contains("Seed " + seed + " ").matches(found);
                assertThat(end(defect, seed)).isEqualTo(end);
                return;
            }
        }
        throw new AssertionError(
                "The defect was not found in " + STORMS_TO_FIND_A_DEFECT + " storms from seed " + from);
    }

    /** How a storm ended badly; empty if it ended well. */
    private String end(UnaryOperator<Store> defect, long seed) {
        return with(defect, store -> {
            try {
                Simulation.run(seed, store, Plan.STORM);
                return "";
            } catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        });
    }

    private <T> T with(UnaryOperator<Store> defect, Function<Store, T> work) {
        return SimulatedStore.with(folder, defect, work);
    }
}
