package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The same deaths where the first process of the machine never asks for the end of an orphan, as in many containers: a
 * killed database stays there as a zombie.
 */
class DeathInContainerIT {
    private static final int MAX_RUN_SECONDS = 300;

    private static final String ENDED_WITH = "ended with ";

    /** The shell becomes a program that only sleeps, as process 1; when it ends, the system ends all others with it. */
    private static final String FIRST_PROCESS =
            "(\"$@\"; echo \"" + ENDED_WITH + "$?\") & exec sleep " + MAX_RUN_SECONDS;

    private static List<String> container() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child"));
        if (!"root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("--user", "--map-current-user"));
        }
        List<String> trial = new ArrayList<>(command);
        trial.add("true");
        try {
            Process process =
                    new ProcessBuilder(trial).redirectErrorStream(true).start();
            String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            Assumptions.assumeTrue(process.waitFor() == 0, "A machine of its own cannot be made here: " + words);
        } catch (IOException missing) {
            Assumptions.abort("There is no unshare here.");
        }
        return command;
    }

    @Test
    void everyDeathEndsAsItDoesAnywhere() throws IOException, InterruptedException, StartRefused {
        List<String> command = container();
        // Without an engine those tests are skipped, and they cannot say so from in there: this skips here.
        assertThat(LocalProgram.flags()).isNotEmpty();
        command.addAll(List.of("sh", "-c", FIRST_PROCESS, "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(TestRun.class.getName(), DeathIT.class.getName()));
        Process machine = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder printed = new StringBuilder();
        try (BufferedReader lines = machine.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && !line.startsWith(ENDED_WITH)) {
                printed.append(line).append('\n');
                line = lines.readLine();
            }
            assertThat(line).as(printed.toString()).isEqualTo(ENDED_WITH + "0");
        } finally {
            machine.destroyForcibly();
        }
    }
}
