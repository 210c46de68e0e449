package io.pilothouse.server;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/**
 * ClickHouse's client for Python with what it needs, fetched once for all runs with pip; where that cannot be, its tests
 * are skipped.
 */
final class PythonClient {
    private static final String NAME = "clickhouse-connect";
    static final String VERSION = "1.12.0";
    private static final Duration DOWNLOAD = Duration.ofMinutes(3);

    private PythonClient() {}

    /** The folder for PYTHONPATH. */
    static Path folder() throws IOException, InterruptedException {
        Path folder = Path.of(LocalProgram.cache(), "pilothouse", NAME + "-" + VERSION);
        if (!works(folder)) {
            Path whole = Files.createTempDirectory(Files.createDirectories(folder.getParent()), NAME);
            ToolRun fetched = ToolRun.of(
                    new ProcessBuilder(
                            "python3",
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--retries=2",
                            "--timeout=20",
                            "--only-binary=:all:",
                            "--target=" + whole,
                            NAME + "==" + VERSION),
                    DOWNLOAD);
            if (fetched.code() != 0) {
                Folders.delete(whole);
                Assumptions.abort("The Python client cannot be fetched with pip: " + fetched.printed());
            }
            // One for another version of Python may be there.
            Folders.delete(folder);
            Files.move(whole, folder, StandardCopyOption.ATOMIC_MOVE);
        }
        return folder;
    }

    private static boolean works(Path folder) throws IOException, InterruptedException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        ProcessBuilder python = new ProcessBuilder("python3", "-c", "import clickhouse_connect");
        python.environment().put("PYTHONPATH", folder.toString());
        return ToolRun.of(python, DOWNLOAD).code() == 0;
    }
}
