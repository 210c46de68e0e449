package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that another one started does not outlive it. */
class UntilInputEndsIT {
    @TempDir
    private Path folder;

    @Test
    void endsWithItsInputAndTakesItsReadyFileAway() throws IOException, InterruptedException {
        Path file = folder.resolve("ready.json");
        try (ChildProgram program = ChildProgram.fromClasses(
                folder, List.of("--plane=simulated", "--ready-file=" + file, "--until-input-ends"))) {
            program.printedUntil("is up");
            assertThat(Files.readString(file)).contains("\"base_url\"");
            program.process().getOutputStream().close();
            assertThat(program.exitCode()).as(program.errors()).isZero();
            assertThat(file).doesNotExist();
        }
    }
}
