package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.soak.Soak;
import io.pilothouse.testkit.soak.SoakPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short soak of the built program; {@code ./pilothouse bench soak} is the long one. */
class SoakIT {
    private static final int STEPS = 40;
    private static final int FULL_STEPS = 1_000;
    /** Above the ports of other tests, and below those that systems give to clients. */
    private static final int PORTS_FROM = 28_000;

    @TempDir
    private Path folder;

    @Test
    void nothingAcknowledgedIsMissingAndNothingIsLeftWhateverIsKilled()
            throws StartRefused, IOException, InterruptedException {
        Walk walk = Walk.begin(SoakIT.class);
        List<String> flags = List.of("--engine", LocalProgram.engine());
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A killed process leaves the driver's library behind.
                "-Dorg.sqlite.tmpdir=" + folder,
                "-jar",
                ChildProgram.jar());

        Soak.Outcome outcome = Soak.run(
                new Soak.Place(command, flags, folder, SoakPorts.free(PORTS_FROM)),
                walk.seed(),
                Soak.Plan.steps(Walk.length(STEPS, FULL_STEPS)));

        System.out.println(outcome);
        assertThat(outcome.batches()).isPositive();
    }
}
