package io.pilothouse.bench;

import io.pilothouse.store.SqliteDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The surroundings of a run: the built program, the java to start it with, and a folder that is removed at the end. */
record Machine(Path jar, Path java, @Nullable Path cache, Path folder) implements AutoCloseable {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final double KIB_IN_A_MIB = 1024;

    /** The options that the script starts every program with, without those that only the bench needs. */
    static final List<String> FLAGS = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> !flag.startsWith("--sun-misc-unsafe-memory-access"))
            .toList();

    static Machine of(Path jar) throws IOException {
        Path cache = jar.resolveSibling("pilothouse.aot");
        return new Machine(
                jar,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Files.exists(cache) && Files.size(cache) > 0 ? cache : null,
                Files.createTempDirectory("pilothouse-bench"));
    }

    /** The same, with the AOT cache of a training if it is wanted and exists. */
    List<String> flags(boolean cached) {
        if (!cached || cache == null) {
            return FLAGS;
        }
        return Stream.concat(
                        FLAGS.stream(),
                        Stream.of(
                                "-D" + SqliteDriver.FOLDER_PROPERTY + "=" + cache.getParent(),
                                "-XX:AOTCache=" + cache,
                                "-Xlog:aot=off",
                                "-Xlog:cds=off"))
                .toList();
    }

    Path newFolder(String name) throws IOException {
        return Files.createTempDirectory(folder, name);
    }

    /** The same machine for one of several loads at once, each of which has a folder of its own. */
    Machine within(Path part) {
        return new Machine(jar, java, cache, part);
    }

    static double residentMib(ProcessHandle process) throws IOException {
        Matcher matcher = RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
        if (!matcher.find()) {
            throw new IOException("This system does not report how much memory a process has");
        }
        return Long.parseLong(matcher.group(1)) / KIB_IN_A_MIB;
    }

    /** Waits until all written data is on disk, so that it is not flushed during a measurement. */
    static void syncDisk() throws IOException, InterruptedException {
        run("sync");
    }

    static void run(String... command) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    /** Whether this program can be run here. */
    static boolean has(String tool) throws InterruptedException {
        try {
            new ProcessBuilder(tool, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException absent) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void remove(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
