package io.pilothouse.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Packages of Python that tests use. Each is fetched once for all runs; where that cannot be, its tests are skipped. */
public final class PythonPackage {
    private static final long DOWNLOAD_MINUTES = 5;

    /** Why one could not be fetched, so that each further test need not wait to hear the same. */
    private static final Map<String, String> MISSING = new ConcurrentHashMap<>();

    private PythonPackage() {}

    /** The folder for PYTHONPATH. {@code name} is what pip calls the package, and {@code module} a part of it. */
    public static synchronized Path folder(String name, String version, String module)
            throws IOException, InterruptedException {
        String known = MISSING.getOrDefault(name, "");
        Assumptions.assumeTrue(known.isEmpty(), known);
        Path folder = ToolCache.folder(name.replaceFirst("\\[.*", ""), version);
        if (!works(folder, module)) {
            String said = run(
                    folder,
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--retries=2",
                    "--timeout=30",
                    "--only-binary=:all:",
                    "--upgrade",
                    "--target=" + folder,
                    name + "==" + version);
            if (!works(folder, module)) {
                MISSING.put(
                        name, "There is no python3 with pip that could fetch " + name + " " + version + ": " + said);
                Assumptions.abort(MISSING.get(name));
            }
        }
        return folder;
    }

    /** Not so for a folder that was filled by another version of Python, or not to its end. */
    private static boolean works(Path folder, String module) throws IOException, InterruptedException {
        return Files.isDirectory(folder)
                && run(folder, "-c", "import " + module + "; print('works')").endsWith("works\n");
    }

    /** What it says, or why it is not there. */
    private static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        Path said = Files.createTempFile("python", ".log");
        ProcessBuilder python =
                new ProcessBuilder("python3").redirectErrorStream(true).redirectOutput(said.toFile());
        python.command().addAll(List.of(arguments));
        python.environment().put("PYTHONPATH", folder.toString());
        try {
            Process process = python.start();
            if (!process.waitFor(DOWNLOAD_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            return Files.readString(said);
        } catch (IOException missing) {
            return String.valueOf(missing.getMessage());
        } finally {
            Files.delete(said);
        }
    }
}
