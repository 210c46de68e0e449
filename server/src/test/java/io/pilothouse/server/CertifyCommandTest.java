package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What keeps a certification from being tried is said before anything is started. */
class CertifyCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int certify(Map<String, String> environment, String... arguments) {
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            return new Main(environment, out, out).run(List.of(arguments));
        }
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private Path module() throws IOException {
        return Files.writeString(folder.resolve("main.tf"), "locals {}");
    }

    private String program() throws IOException {
        Path program = Files.writeString(folder.resolve("tofu"), "#!/bin/sh\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program.toString();
    }

    @Test
    void folderIsNeeded() {
        assertThat(certify(Map.of(), "certify")).isEqualTo(Main.MISUSED);
        assertThat(printed()).contains("./pilothouse certify DIR");
    }

    @Test
    void helpListsWhatItTakes() {
        assertThat(certify(Map.of(), "certify", "--help")).isEqualTo(Main.FINE);
        assertThat(printed())
                .contains("./pilothouse certify DIR", "--url", "--terraform", "--junit", "--changes", "--var-file")
                .doesNotContain("--data", "--config");
    }

    @Test
    void pathWithoutTerraformIsNamed() throws IOException {
        module();
        assertThat(certify(Map.of("PATH", folder.resolve("bin").toString()), "certify", folder.toString()))
                .isEqualTo(Main.REFUSED);
        assertThat(printed()).contains("no tofu and no terraform on the path");
    }

    @Test
    void folderWithoutAModuleIsNamed() throws IOException {
        String program = program();
        assertThat(certify(Map.of(), "certify", folder.toString(), "--terraform", program))
                .isEqualTo(Main.REFUSED);
        assertThat(printed()).contains("has no file of Terraform");
    }

    @Test
    void runningProgramNeedsAKey() throws IOException {
        module();
        assertThat(certify(
                        Map.of("CLICKHOUSE_ORG_ID", "an id"),
                        "certify",
                        folder.toString(),
                        "--terraform",
                        program(),
                        "--url",
                        "http://127.0.0.1:1"))
                .isEqualTo(Main.REFUSED);
        assertThat(printed()).contains("CLICKHOUSE_CLOUD_API_KEY is not set");
    }

    @Test
    void programThatDoesNotAnswerIsNamed() throws IOException {
        module();
        Map<String, String> key = Map.of(
                "CLICKHOUSE_ORG_ID", "an-id", "CLICKHOUSE_CLOUD_API_KEY", "a", "CLICKHOUSE_CLOUD_API_SECRET", "b");
        assertThat(certify(key, "certify", folder.toString(), "--terraform", program(), "--url", "http://127.0.0.1:1"))
                .isEqualTo(Main.REFUSED);
        assertThat(printed()).contains("Nothing answers at http://127.0.0.1:1");
    }

    @Test
    void reportThatCannotBeWrittenIsNamedFirst() throws IOException {
        module();
        String report = folder.resolve("nowhere/report.xml").toString();
        assertThat(certify(Map.of(), "certify", folder.toString(), "--junit", report))
                .isEqualTo(Main.REFUSED);
        assertThat(printed()).contains("nowhere/report.xml cannot be written");
    }
}
