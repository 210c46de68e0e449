package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The emulator's time in a program whose machine goes on, and over its restarts. */
class EmulatorClockTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private String emulator(String... words) {
        out.reset();
        PrintStream both = new PrintStream(out, true, StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>(List.of("emulator"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of("--data", folder.toString()));
        assertThat(new Main(Map.of(), both, both).run(arguments))
                .as(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(Main.FINE);
        return out.toString(StandardCharsets.UTF_8);
    }

    private Instant shown(String... words) {
        return Instant.parse(TestProgram.field(emulator(words), "now"));
    }

    @Test
    void timeThatRunsFasterBringsEverythingSooner() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator", "--simulated-provisioning-time", "20m")) {
            emulator("clock-run", "600");
            String made = program.createService("{\"name\": \"Fast\"}").body();
            String service = program.organizationUrl() + "/services/" + TestProgram.field(made, "id");
            program.await(service, body -> body.contains("\"running\""), Duration.ofSeconds(20));
        }
    }

    @Test
    void restartsDoNotTakeItBack() throws StartRefused, IOException {
        Instant stopped;
        try (TestProgram program = TestProgram.start(folder, "--emulator")) {
            emulator("clock-forward", "36500h");
            stopped = shown("clock-stop");
            assertThat(program.log()).doesNotContain("WARN");
        }
        try (TestProgram program = TestProgram.start(folder, "--emulator")) {
            assertThat(shown("clock")).isEqualTo(stopped);
            emulator("clock-set", stopped.plusSeconds(90).toString());
            assertThat(shown("clock-run")).isAfterOrEqualTo(stopped.plusSeconds(90));
            assertThat(program.log()).doesNotContain("went back");
        }
        assertThatThrownBy(() -> TestProgram.start(folder))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("it is 20")
                .hasMessageContaining("already: start with --emulator");
        try (TestProgram program = TestProgram.start(folder, "--emulator")) {
            assertThat(shown("clock")).isAfter(stopped.plusSeconds(90));
            assertThat(program.running().controls()).isNotEmpty();
        }
    }

    @Test
    void aTimeThatIsOverIsForgotten() throws StartRefused, IOException {
        TestProgram.start(folder, "--emulator").close();
        try (TestProgram program = TestProgram.start(folder, "--emulator")) {
            emulator("clock-stop");
            assertThat(program.running().controls()).isNotEmpty();
        }
        Path kept = folder.resolve("emulator-clock.json");
        assertThat(kept).exists();
        TestProgram.start(folder).close();
        assertThat(kept).doesNotExist();
        Files.writeString(kept, "{}");
        assertThatThrownBy(() -> TestProgram.start(folder, "--emulator"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("does not say which time it is");
    }
}
