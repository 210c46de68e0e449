package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script for CI that gives any command a server, as the files to copy use it. */
class WithPilothouseIT {
    private static final int RUN_SECONDS = 120;

    private final Path root = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private Path program;

    /** How a run ended. */
    private record Run(int code, String printed) {}

    @BeforeEach
    void packedProgram() throws IOException {
        Path jar = root.resolve("server").resolve("target").resolve("pilothouse.jar");
        Assumptions.assumeTrue(Files.isRegularFile(jar), "The program is packed by a whole build only.");
        program = script("pilothouse", "exec '" + ProgramCommand.java() + "' -jar '" + jar + "' \"$@\"");
    }

    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private Run run(Path with, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of(root.resolve("examples/ci/with-pilothouse.sh").toString(), with.toString()));
        all.addAll(List.of(command));
        Path printed = folder.resolve("printed.txt");
        ProcessBuilder builder =
                new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().put("TMPDIR", folder.toString());
        Process process = builder.start();
        assertThat(process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(printed, StandardCharsets.UTF_8));
    }

    @Test
    void commandReachesTheServerAndNothingIsLeftAfterIt() throws IOException, InterruptedException {
        Path asks = script("asks", """
                cat "$READY_FILE"
                exec '%s' -cp '%s' '%s'""".formatted(
                        ProgramCommand.java(), System.getProperty("java.class.path"), Asks.class.getName()));
        Run run = run(program, asks.toString());
        assertThat(run.code()).as(run.printed()).isZero();
        assertThat(run.printed()).contains("\"base_url\":", "services: 200");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("pilothouse", "asks", "printed.txt");
    }

    @Test
    void codeOfTheCommandIsTheCodeOfTheScript() throws IOException, InterruptedException {
        assertThat(run(program, "/bin/sh", "-c", "exit 7").code()).isEqualTo(7);
    }

    @Test
    void programThatDoesNotStartIsReported() throws IOException, InterruptedException {
        Path broken = script("broken", "echo 'There is no room.' >&2; exit 1");
        Run run = run(broken, "/bin/true");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.printed()).contains("There is no room.");
    }

    /** A command that knows the server by its variables alone. */
    static final class Asks {
        private Asks() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Credential key = new Credential(
                    System.getenv("CLICKHOUSE_CLOUD_API_KEY"), System.getenv("CLICKHOUSE_CLOUD_API_SECRET"));
            URI services = URI.create(System.getenv("CLICKHOUSE_API_URL") + "/organizations/"
                    + System.getenv("CLICKHOUSE_ORG_ID") + "/services");
            System.out.println("services: "
                    + Client.send(HttpRequest.newBuilder(services).header("Authorization", key.authorization()))
                            .statusCode());
        }
    }
}
