package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Main main(Map<String, String> environment) {
        return new Main(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int run(String... arguments) {
        return main(Map.of()).run(List.of(arguments));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyCommandHasItsLineInTheHelp() throws IOException {
        try (InputStream list = Objects.requireNonNull(Main.class.getResourceAsStream("commands.txt"))) {
            String commands = new String(list.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(main(Map.of()).commands().keySet())
                    .allMatch(command -> commands.contains("\n  " + command + " "));
            assertThat(run("help")).isEqualTo(Main.FINE);
            assertThat(out()).isEqualTo(commands);
        }
    }

    @Test
    void helpIsWhatOneGetsForNothingAndForTheUsualFlag() {
        assertThat(run()).isEqualTo(Main.FINE);
        assertThat(run("--help")).isEqualTo(Main.FINE);
        assertThat(out()).startsWith("Pilothouse, ");
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(run("version")).isEqualTo(Main.FINE);
        assertThat(run("--version")).isEqualTo(Main.FINE);
        assertThat(out().lines()).containsExactly("pilothouse development", "pilothouse development");
    }

    @Test
    void anUnknownCommandIsAMisuse() {
        assertThat(run("fly\u001b[2J")).isEqualTo(Main.MISUSED);
        assertThat(err()).isEqualTo("fly\\u001b[2J is no command: ./pilothouse help lists them.\n");
        assertThat(out()).isEmpty();
    }

    @Test
    void upExplainsItsOptions() {
        assertThat(run("up", "--help")).isEqualTo(Main.FINE);
        assertThat(run("up", "-h")).isEqualTo(Main.FINE);
        assertThat(out()).contains("  --listen HOST:PORT", "(127.0.0.1:8080)", "PILOTHOUSE_BOOTSTRAP_KEY_ID");
    }

    @Test
    void aMistakeOnTheCommandLineIsAMisuseAndEveryMistakeIsASentence() {
        assertThat(run("up", "--fly", "--rules", "none")).isEqualTo(Main.MISUSED);
        assertThat(err().lines())
                .containsExactly("--fly is no option of up.", "--rules \"none\" must be one of seed, cloud.");
    }

    @Test
    void aBadValueIsARefusal() {
        assertThat(main(Map.of("PILOTHOUSE_RULES", "none")).run(List.of("up"))).isEqualTo(Main.REFUSED);
        assertThat(err()).isEqualTo("PILOTHOUSE_RULES \"none\" must be one of seed, cloud.\n");
    }

    @Test
    void aRefusedStartIsOneSentence() throws IOException {
        Path file = Files.createFile(folder.resolve("data"));
        assertThat(run("up", "--data", file.toString())).isEqualTo(Main.REFUSED);
        assertThat(err())
                .isEqualTo(
                        "The data folder " + file + " cannot be made: it is a file, and --data names another one.\n");
        assertThat(out()).isEmpty();
    }
}
