package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.ToolCache;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Databases for tests that ask for one. */
class RunningClickHouseIT {
    private static final Queue<String> ANSWERS = new ConcurrentLinkedQueue<>();

    @Pilothouse(plane = Plane.LOCAL)
    static class WantsADatabase {
        @Test
        void thatRuns(RunningClickHouse database, PilothouseOrganization mine)
                throws IOException, InterruptedException, GeneralSecurityException {
            ANSWERS.add(Database.ask(database, "SELECT 6 * 7"));
            assertThat(Client.get(mine, "/services").body())
                    .contains(database.serviceId().toString());
            assertThat(database.toString()).doesNotContain(database.password());
        }
    }

    @Test
    void databaseOfATestAnswersIt() {
        TestExecutionSummary run = Runs.of(
                Map.of(
                        Settings.RUN,
                        "child",
                        Settings.OPTIONS,
                        "--gateway-ports=23800-23899 --engine-ports=24800-24899 --engine-cache="
                                + ToolCache.home().resolve("pilothouse")),
                List.of(WantsADatabase.class));
        run.getFailures().forEach(failure -> {
            String why = String.valueOf(failure.getException());
            Assumptions.assumeFalse(why.contains("npm"), why);
        });
        assertThat(run.getFailures().stream().map(failure -> failure.getException()))
                .isEmpty();
        assertThat(ANSWERS).containsExactly("42");
    }
}
