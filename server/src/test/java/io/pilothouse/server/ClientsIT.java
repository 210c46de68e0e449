package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.PythonPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ClickHouse's own clients talk to a service as docs/clients.md shows it: every example there is run, and prints that. */
class ClientsIT {
    static final String PYTHON_VERSION = "1.12.0";

    private static final Duration RUN = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;

    private static TestProgram program;
    private static String page;

    @BeforeAll
    static void start() throws IOException, StartRefused {
        program = new LocalProgram().start(folder.resolve(".pilothouse"));
        page = Files.readString(Clone.root().resolve("docs").resolve("clients.md"));
    }

    @AfterAll
    static void stop() {
        if (program != null) {
            program.close();
        }
    }

    @Test
    void pythonClientCreatesInsertsStreamsAndIsRefused() throws IOException, InterruptedException {
        Path packages = PythonPackage.folder("clickhouse-connect", PYTHON_VERSION, "clickhouse_connect");
        Matcher example = example("python");
        Path file = Files.writeString(folder.resolve("example.py"), example.group(1));
        String printed = run(List.of("python3", file.toString()), Map.of("PYTHONPATH", packages.toString()));
        assertThat(printed).isEqualTo(example.group(2));
    }

    @Test
    void javaClientCreatesInsertsStreamsAndIsRefused() throws IOException, InterruptedException {
        Matcher example = example("java");
        Path file = Files.writeString(folder.resolve("Example.java"), example.group(1));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classes = System.getProperty("java.class.path");
        assertThat(run(List.of(java.toString(), file.toString()), Map.of("CLASSPATH", classes)))
                .isEqualTo(example.group(2));
    }

    /** An example, and what it prints: the next block after it. */
    private static Matcher example(String language) {
        Matcher example = Pattern.compile("```" + language + "\n(.*?)```\n+(?:```\n(.*?)```)?", Pattern.DOTALL)
                .matcher(page);
        assertThat(example.find()).as("an example of %s", language).isTrue();
        return example;
    }

    /** Runs it in the shell in which the lines at the top of the page were pasted. */
    private static String run(List<String> command, Map<String, String> more) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                ToolRun.of(new ProcessBuilder("curl", "--version"), RUN).code() == 0, "There is no curl on the path.");
        String script = example("sh").group(1) + "exec " + String.join(" ", command) + "\n";
        ProcessBuilder shell = new ProcessBuilder("sh", "-eu", "-c", script).directory(folder.toFile());
        shell.environment().putAll(new TreeMap<>(more));
        return ToolRun.must(shell, RUN);
    }
}
