package io.pilothouse.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Programs from npm that tests start. Each is fetched once for all runs; where that cannot be, its tests are skipped. */
public final class NodePackage {
    private static final long DOWNLOAD_MINUTES = 5;

    /** Why one could not be fetched, so that each further test need not wait to hear the same. */
    private static final Map<String, String> MISSING = new ConcurrentHashMap<>();

    private NodePackage() {}

    /** A file of the package of this name, for a program that is not Node. */
    public static Path file(String name, String version, String path) throws IOException, InterruptedException {
        return folder(name, version).resolve(name).resolve(path);
    }

    /** The program of this name in the package of this name. */
    public static Path program(String name, String version) throws IOException, InterruptedException {
        return folder(name, version).resolve(".bin").resolve(name);
    }

    private static Path folder(String name, String version) throws IOException, InterruptedException {
        String known = MISSING.getOrDefault(name, "");
        Assumptions.assumeTrue(known.isEmpty(), known);
        Path installed = ToolCache.folder(name, version);
        if (Files.notExists(installed)) {
            Files.createDirectories(installed.getParent());
            Path fresh = Files.createTempDirectory(installed.getParent(), name + "-");
            install(fresh, name, version);
            Files.move(fresh, installed, StandardCopyOption.ATOMIC_MOVE);
        }
        return installed.resolve("node_modules");
    }

    private static void install(Path folder, String name, String version) throws InterruptedException {
        try {
            Process npm = new ProcessBuilder(
                            "npm",
                            "install",
                            "--silent",
                            "--no-audit",
                            "--no-fund",
                            "--ignore-scripts",
                            "--prefix=" + folder,
                            name + "@" + version)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (npm.waitFor(DOWNLOAD_MINUTES, TimeUnit.MINUTES) && npm.exitValue() == 0) {
                return;
            }
            npm.destroyForcibly();
            MISSING.put(name, "npm cannot fetch " + name + " " + version);
        } catch (IOException absent) {
            MISSING.put(name, "npm is not there, which fetches " + name);
        }
        Assumptions.abort(MISSING.get(name));
    }
}
