package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server in a process of its own. */
class ServerAsChildIT {
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
    private static final long BETWEEN_LOOKS = Duration.ofMillis(20).toNanos();

    @TempDir
    private Path folder;

    private static Settings settings(Map<String, String> parameters) {
        return Settings.of(name -> Optional.ofNullable(parameters.get(name)), System.getenv());
    }

    private static ServerOfRun start(Map<String, String> parameters) {
        Settings settings = settings(parameters);
        return ServerOfRun.start(
                Plane.SIMULATED, settings, (java, classes) -> PreparedStart.of(java, classes, settings.environment()));
    }

    /** The tests of a run that is about to be killed. */
    static final class KilledRun {
        private KilledRun() {}

        public static void main(String[] arguments) {
            System.out.println(start(Map.of()).access().base());
            Runtime.getRuntime().halt(137);
        }
    }

    @Test
    void handsOutOrganizationsAndEndsWhenItIsClosed() throws IOException, InterruptedException {
        ServerOfRun server = start(Map.of());
        PilothouseOrganization mine = PilothouseOrganization.on(server.access());
        assertThat(Client.get(mine, "/services").statusCode()).isEqualTo(200);
        server.close();
        assertThat(Ports.isOpen(mine.baseUrl())).isFalse();
    }

    @Test
    void endsWithTheTestsHoweverTheyEnd() throws IOException, InterruptedException {
        Process run = new ProcessBuilder(
                        ProgramCommand.java(),
                        // A run that is killed removes nothing.
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledRun.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        URI server;
        try (BufferedReader printed =
                new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8))) {
            server = URI.create(printed.readLine());
        }
        assertThat(run.waitFor()).isEqualTo(137);
        long end = System.nanoTime() + PATIENCE;
        while (Ports.isOpen(server)) {
            assertThat(System.nanoTime()).as("the server is up still").isLessThan(end);
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    @Test
    void refusedStartIsReportedInItsOwnWords() {
        ServerOfRun server = start(Map.of(Settings.OPTIONS, "--plane=local --engine=/nowhere/clickhouse"));
        assertThatThrownBy(server::access)
                .isInstanceOf(PilothouseException.class)
                .hasMessageContaining("The server did not start: it ended with code 1.")
                .hasMessageContaining("/nowhere/clickhouse");
    }

    @Test
    void programThatSaysNothingIsGivenUp() throws IOException {
        Path silent = Files.writeString(folder.resolve("pilothouse"), "#!/bin/sh\nexec sleep 600\n");
        assertThat(silent.toFile().setExecutable(true)).isTrue();
        ServerOfRun server = start(Map.of(Settings.PROGRAM, folder.toString(), Settings.START_LIMIT, "1"));
        assertThatThrownBy(server::access)
                .hasMessageContaining("it was not up after 1 seconds (pilothouse.start-limit).");
    }

    @Test
    void programThatIsNotThereIsNamed() {
        ServerOfRun server = start(Map.of(Settings.PROGRAM, folder.toString()));
        assertThatThrownBy(server::access)
                .hasMessageContaining("pilothouse.program names " + folder)
                .hasMessageContaining("there is no program there");
    }
}
