package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.config.ConfigSources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that drives the emulator, against a program that runs. */
class EmulatorCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        return new Main(
                        Map.of(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aControlIsAskedForAsTheFirstKeyOfTheDataFolder() throws StartRefused {
        try (TestProgram program = TestProgram.start(folder, "--emulator")) {
            assertThat(run("emulator", "organization-create", "Billing", "--data", folder.toString()))
                    .as(said())
                    .isEqualTo(Main.FINE);
            assertThat(said()).startsWith("{\"organization\":{\"id\":").contains("\"name\":\"Billing\"", "keySecret");
            assertThat(program.log()).doesNotContain("keySecret");
        }
    }

    @Test
    void faultsAreSetFromAFileAndTakenBack() throws IOException, StartRefused {
        String plan = folder.resolve("plan.json").toString();
        Files.writeString(
                Path.of(plan), "{\"seed\": 7, \"faults\": [{\"name\": \"lost\", \"effect\": \"cut-after\"}]}");
        String data = folder.resolve("data").toString();
        try (TestProgram _ = TestProgram.start(folder.resolve("data"), "--emulator")) {
            assertThat(run("emulator", "faults-set", plan, "--data", data))
                    .as(said())
                    .isEqualTo(Main.FINE);
            assertThat(said()).startsWith("{\"seed\":7,\"faults\":[{\"name\":\"lost\",\"effect\":\"cut-after\"");
            assertThat(run("emulator", "fault-set", plan, "--data", data)).isEqualTo(Main.REFUSED);
            assertThat(run("emulator", "fault-clear", "lost", "--data", data)).isEqualTo(Main.FINE);
            assertThat(run("emulator", "fault-clear", "lost", "--data", data)).isEqualTo(Main.REFUSED);
            out.reset();
            assertThat(run("emulator", "faults", "--data", data)).isEqualTo(Main.FINE);
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"faults\":[]");
        }
    }

    @Test
    void theProgramsOwnCertificateIsTrusted() throws StartRefused {
        try (TestProgram program = TestProgram.start(folder, "--emulator", "--tls-names", "api.example.com")) {
            assertThat(program.running().urls().base()).startsWith("https://");
            assertThat(run("emulator", "organizations", "--data", folder.toString(), "--tls-names", "api.example.com"))
                    .as(said())
                    .isEqualTo(Main.FINE);
            assertThat(said()).contains("My organization");
        }
    }

    @Test
    void aProgramThatIsNoEmulatorSaysSo() throws StartRefused {
        try (TestProgram program = TestProgram.start(folder)) {
            assertThat(run("emulator", "organizations", "--data", folder.toString()))
                    .isEqualTo(Main.REFUSED);
            assertThat(said()).startsWith("The program was started without --emulator: NOT_FOUND");
            assertThat(program.running().controls()).isEmpty();
        }
    }

    @Test
    void withoutAProgramItSaysWhereItLooked() throws StartRefused {
        assertThat(run("emulator", "organizations", "--data", folder.toString()))
                .isEqualTo(Main.REFUSED);
        assertThat(said()).startsWith("There is no first key in " + folder);
        out.reset();
        err.reset();
        TestProgram.start(folder, "--emulator").close();
        assertThat(run("emulator", "organizations", "--data", folder.toString()))
                .isEqualTo(Main.REFUSED);
        assertThat(said()).startsWith("No program answers at http://127.0.0.1:");
    }

    @Test
    void theHelpListsEveryControl() {
        assertThat(run("emulator", "--help")).isEqualTo(Main.FINE);
        assertThat(said()).contains("./pilothouse emulator organization-create [NAME] makes an organization");
        assertThat(run("emulator", "fly")).isEqualTo(Main.MISUSED);
    }

    @Test
    void emulatorIsForLoopbackAlone() {
        ConfigSources.Outcome outcome = ConfigSources.read(
                "up", List.of("--emulator", "--query-listen", "0.0.0.0:0", "--insecure-listen"), Map.of());
        assertThat(outcome.mistakes())
                .containsExactly("--emulator \"true\" is for this machine alone, and others can reach query-listen"
                        + " 0.0.0.0:0: choose loopback addresses such as 127.0.0.1");
        assertThat(ConfigSources.read("up", List.of("--emulator", "--store-shared"), Map.of())
                        .mistakes())
                .anyMatch(sentence -> sentence.contains("leave out --store-shared"));
    }
}
