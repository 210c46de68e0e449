package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Whole runs of tests, each with a server of its own. */
class RunsTest {
    /** What the tests of a run saw. JUnit makes their instances, so there is no other way to them. */
    private static final Queue<Seen> SEEN = new ConcurrentLinkedQueue<>();

    private record Seen(URI server, PilothouseOrganization organization) {}

    @Pilothouse
    static class OneOrganization {
        private final PilothouseOrganization mine;

        OneOrganization(PilothouseOrganization mine) {
            this.mine = mine;
        }

        @RepeatedTest(10)
        void seesOnlyWhatItMade(PilothouseOrganization same) throws IOException, InterruptedException {
            assertThat(same).isSameAs(mine);
            for (int made = 1; made <= 3; made++) {
                assertThat(Client.post(mine, "/services", "{}").statusCode()).isEqualTo(200);
                assertThat(Client.get(mine, "/services").body().split("\"dataWarehouseId\"", -1))
                        .hasSize(made + 1);
            }
            SEEN.add(new Seen(mine.baseUrl(), mine));
        }
    }

    @Pilothouse
    static class AnotherClass {
        @Test
        void hasTheSameServer(PilothouseOrganization mine) {
            SEEN.add(new Seen(mine.baseUrl(), mine));
        }
    }

    @Pilothouse
    static class WantsADatabase {
        @Test
        void ofASimulatedService(RunningClickHouse database) {
            throw new AssertionError("there is one: " + database);
        }
    }

    @Test
    void testsOfAllClassesRunSideBySideOnOneServer() {
        SEEN.clear();
        TestExecutionSummary run = Runs.of(
                Map.of(
                        Settings.RUN,
                        "same-process",
                        "junit.jupiter.execution.parallel.enabled",
                        "true",
                        "junit.jupiter.execution.parallel.mode.default",
                        "concurrent",
                        "junit.jupiter.execution.parallel.config.strategy",
                        "fixed",
                        "junit.jupiter.execution.parallel.config.fixed.parallelism",
                        "8"),
                List.of(OneOrganization.class, AnotherClass.class));
        assertThat(failures(run)).isEmpty();
        assertThat(run.getTestsSucceededCount()).isEqualTo(11);
        assertThat(SEEN.stream().map(Seen::server).collect(Collectors.toSet())).hasSize(1);
        assertThat(SEEN.stream().map(seen -> seen.organization().id()).collect(Collectors.toSet()))
                .hasSize(11);
    }

    @Test
    void serverIsGoneWithItsRun() {
        SEEN.clear();
        Runs.of(Map.of(Settings.RUN, "same-process"), List.of(AnotherClass.class));
        URI server = SEEN.remove().server();
        assertThat(Ports.isOpen(server)).isFalse();
    }

    @Test
    void everyTestSaysWhyTheServerDidNotStart() {
        TestExecutionSummary run = Runs.of(
                Map.of(Settings.RUN, "same-process", Settings.OPTIONS, "--rules lenient --no-such-option"),
                List.of(OneOrganization.class, AnotherClass.class));
        assertThat(run.getTestsFailedCount()).isEqualTo(11);
        assertThat(Set.copyOf(failures(run)))
                .singleElement()
                .satisfies(message -> assertThat(message)
                        .contains("The server did not start: ", "--no-such-option is no option of up.", "--rules"));
    }

    @Test
    void parameterThatIsNoneOfTheChoicesIsNamed() {
        assertThat(failures(Runs.of(Map.of(Settings.RUN, "somewhere"), List.of(AnotherClass.class))))
                .singleElement()
                .isEqualTo("pilothouse.run is \"somewhere\", and may be child or same-process");
    }

    @Test
    void databaseOfASimulatedServiceIsRefusedWithTheWayToOne() {
        assertThat(failures(Runs.of(Map.of(Settings.RUN, "same-process"), List.of(WantsADatabase.class))))
                .singleElement()
                .satisfies(message -> assertThat(message).contains("@Pilothouse(plane = Plane.LOCAL)"));
    }

    /** The innermost reason of each failure that is ours. */
    private static List<String> failures(TestExecutionSummary run) {
        return run.getFailures().stream()
                .map(failure -> message(failure.getException()))
                .toList();
    }

    private static String message(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof ParameterResolutionException && cause != null
                ? message(cause)
                : String.valueOf(thrown.getMessage());
    }
}
