package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.ToolCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * ClickHouse's own command line client, unmodified, as its users run it. Fetched once for all runs with pip, and held
 * against its digest; where that cannot be, its tests are skipped.
 */
final class OfficialClient {
    static final String VERSION = "0.5.0";
    private static final String SHA_256 = "9fd2625695bc5d3c09617d6951dcc048fe166018e080bf32fc64b1ebf75b3d96";
    private static final String NAME = "clickhousectl";
    private static final Duration DOWNLOAD = Duration.ofMinutes(3);
    private static final Duration RUN = Duration.ofMinutes(2);

    /** Why it could not be fetched, so that each further test need not wait to hear the same. */
    private static @Nullable String missing;

    private final Path binary;
    private final Path home;

    private OfficialClient(Path binary, Path home) {
        this.binary = binary;
        this.home = home;
    }

    /** A client that is run in this folder, and keeps its own files there. */
    static OfficialClient in(Path home) throws IOException, InterruptedException {
        Path folder = ToolCache.folder(NAME, VERSION);
        Path binary = folder.resolve(NAME);
        Assumptions.assumeTrue(missing == null, missing);
        if (!Files.isExecutable(binary)) {
            fetch(Files.createDirectories(folder), binary);
        }
        return new OfficialClient(binary, Files.createDirectories(home));
    }

    private static void fetch(Path folder, Path binary) throws IOException, InterruptedException {
        Path wanted = Files.writeString(
                folder.resolve("wanted.txt"), NAME + "==" + VERSION + " --hash=sha256:" + SHA_256 + "\n");
        ToolRun download = ToolRun.of(
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
                DOWNLOAD);
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

    /** Runs lines of a shell in which it is on the path, in the folder that the program was started in. */
    ToolRun shell(String lines, Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", lines).directory(home.toFile());
        shell.environment().putAll(variables);
        shell.environment().put("HOME", home.toString());
        shell.environment().put("DO_NOT_TRACK", "1");
        shell.environment().merge("PATH", String.valueOf(binary.getParent()), (path, own) -> own + ":" + path);
        return ToolRun.of(shell, RUN);
    }

    /** Every command below {@code cloud} that has none below itself. */
    List<String> commands() throws IOException, InterruptedException {
        List<String> leaves = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>(List.of(""));
        while (!open.isEmpty()) {
            String command = open.removeFirst();
            String help =
                    shell(NAME + " cloud " + command + " --help", Map.of()).printed();
            int list = help.indexOf("\nCommands:\n");
            if (list < 0) {
                leaves.add(command);
            } else {
                help.substring(list + 1)
                        .lines()
                        .skip(1)
                        .takeWhile(line -> !line.isBlank())
                        .map(line -> line.strip().split(" ", 2)[0])
                        .filter(name -> !name.equals("help"))
                        .forEach(name -> open.add((command + " " + name).strip()));
            }
        }
        return leaves;
    }
}
