package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * ClickHouse's own command line client, unmodified, as its users run it. Fetched once for all runs with pip, and held
 * against its digest; where that cannot be, its tests are skipped.
 */
final class OfficialClient {
    private static final String VERSION = "0.5.0";
    private static final String SHA_256 = "9fd2625695bc5d3c09617d6951dcc048fe166018e080bf32fc64b1ebf75b3d96";
    private static final String NAME = "clickhousectl";
    private static final long DOWNLOAD_MINUTES = 3;
    private static final long RUN_SECONDS = 120;

    /** Why it could not be fetched, so that each further test need not wait to hear the same. */
    private static @Nullable String missing;

    private final Path binary;
    private final Path home;
    private final TestProgram program;

    private OfficialClient(Path binary, Path home, TestProgram program) {
        this.binary = binary;
        this.home = home;
        this.program = program;
    }

    /** How a run ended: its exit code, and what it printed. */
    record Run(int code, String printed) {}

    /** The client of a program; it keeps its own files in the folder. */
    static OfficialClient of(TestProgram program, Path home) throws IOException, InterruptedException {
        Path folder = Path.of(LocalProgram.cache(), "pilothouse", NAME + "-" + VERSION);
        Path binary = folder.resolve(NAME);
        Assumptions.assumeTrue(missing == null, missing);
        if (!Files.isExecutable(binary)) {
            fetch(Files.createDirectories(folder), binary);
        }
        return new OfficialClient(binary, Files.createDirectories(home), program);
    }

    private static void fetch(Path folder, Path binary) throws IOException, InterruptedException {
        Path wanted = Files.writeString(
                folder.resolve("wanted.txt"), NAME + "==" + VERSION + " --hash=sha256:" + SHA_256 + "\n");
        Run download = run(
                new ProcessBuilder(
                        "python3",
                        "-m",
                        "pip",
                        "download",
                        "--quiet",
                        "--retries=2",
                        "--timeout=20",
                        "--no-deps",
                        "--only-binary=:all:",
                        "--require-hashes",
                        "--dest=" + folder,
                        "--requirement=" + wanted),
                TimeUnit.MINUTES.toSeconds(DOWNLOAD_MINUTES));
        if (download.code() != 0) {
            missing = "The official client cannot be fetched with pip: " + download.printed();
            Assumptions.abort(missing);
        }
        try (var wheels = Files.newDirectoryStream(folder, "*.whl")) {
            for (Path wheel : wheels) {
                unpack(wheel, binary);
                Files.delete(wheel);
            }
        }
    }

    private static void unpack(Path wheel, Path binary) throws IOException {
        try (ZipFile files = new ZipFile(wheel.toFile())) {
            ZipEntry entry = files.stream()
                    .filter(file -> file.getName().endsWith("/scripts/" + NAME))
                    .findFirst()
                    .orElseThrow();
            Path whole = binary.resolveSibling(NAME + ".part");
            try (InputStream in = files.getInputStream(entry)) {
                Files.copy(in, whole, StandardCopyOption.REPLACE_EXISTING);
            }
            assertThat(whole.toFile().setExecutable(true)).isTrue();
            Files.move(whole, binary, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Runs it with the first key, and gives what it printed; it must succeed. */
    String cloud(String... arguments) throws IOException, InterruptedException {
        Run run = cloudWith(program.credential("key_secret"), arguments);
        assertThat(run.code()).as(run.printed()).isZero();
        return run.printed();
    }

    Run cloudWith(String secret, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                binary.toString(),
                "cloud",
                "--url",
                program.credential("base_url"),
                "--api-key",
                program.credential("key_id"),
                "--api-secret",
                secret));
        command.addAll(List.of(arguments));
        ProcessBuilder client = new ProcessBuilder(command).directory(home.toFile());
        client.environment().put("HOME", home.toString());
        client.environment().put("DO_NOT_TRACK", "1");
        return run(client, RUN_SECONDS);
    }

    private static Run run(ProcessBuilder builder, long seconds) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("official-client", ".txt");
        try {
            Process process;
            try {
                process = builder.redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
            } catch (IOException missing) {
                return new Run(-1, String.valueOf(missing.getMessage()));
            }
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            return new Run(process.exitValue(), Files.readString(printed, StandardCharsets.UTF_8));
        } finally {
            Files.delete(printed);
        }
    }
}
