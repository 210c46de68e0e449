package io.pilothouse.junit;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM learned of an earlier start of the same program: its classes as they are loaded (an AOT cache), which is
 * good for just these jars and this JVM. Made once and kept in the user's cache; where that cannot be done, a start goes
 * without.
 */
record PreparedStart(@Nullable Path cache) {
    private static final Logger LOG = System.getLogger(PreparedStart.class.getName());
    private static final String TRAINING = "io.pilothouse.server.Training";
    private static final String ENDING = ".aot";
    private static final int KEPT = 4;
    private static final Duration TRAINING_LIMIT = Duration.ofMinutes(2);
    private static final PreparedStart NONE = new PreparedStart(null);

    static PreparedStart of(List<String> java, String classes, Map<String, String> environment) {
        boolean hasFolders =
                Stream.of(classes.split(File.pathSeparator, -1)).map(Path::of).anyMatch(Files::isDirectory);
        if (hasFolders) {
            return NONE;
        }
        try {
            Path folder = Files.createDirectories(
                    home(environment).resolve("pilothouse").resolve("starts"));
            Path file = folder.resolve(name(java, classes) + ENDING);
            if (!Files.isRegularFile(file)) {
                train(java, classes, folder, file);
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return new PreparedStart(file);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The start of the server could not be prepared", e);
            return NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NONE;
        }
    }

    /** What a start that is prepared has more on its command line. A cache of another JVM is passed over. */
    List<String> flags() {
        return cache == null ? List.of() : List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off");
    }

    private static Path home(Map<String, String> environment) {
        String given = environment.getOrDefault("XDG_CACHE_HOME", "");
        return given.startsWith("/") ? Path.of(given) : Path.of(System.getProperty("user.home"), ".cache");
    }

    private static String name(List<String> java, String classes) throws IOException {
        List<String> all = new ArrayList<>(java);
        all.add(System.getProperty("java.vm.version"));
        for (String entry : classes.split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            all.add(entry + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar));
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", all).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }

    private static void train(List<String> java, String classes, Path folder, Path file)
            throws IOException, InterruptedException {
        TestFolder work = TestFolder.make();
        try {
            Path made = work.path().resolve("made" + ENDING);
            List<String> command = new ArrayList<>(java);
            command.addAll(List.of(
                    "-XX:AOTCacheOutput=" + made,
                    "-Xlog:disable",
                    "-XX:-AOTRecordTraining",
                    "-cp",
                    classes,
                    TRAINING,
                    work.path().toString()));
            Process training = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!training.waitFor(TRAINING_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                training.destroyForcibly().waitFor();
            }
            if (training.exitValue() != 0) {
                throw new IOException("The training ended with code " + training.exitValue());
            }
            // Whole or not at all, even where two runs of tests do this at once.
            Path draft = Files.createTempFile(folder, "draft", ".part");
            Files.copy(made, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            removeOld(folder);
        } finally {
            work.remove();
        }
    }

    /** Each has 40 MB, and those of earlier versions are used no more. */
    private static void removeOld(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(folder)) {
            all = files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted(Comparator.comparingLong(PreparedStart::lastUse).reversed())
                    .toList();
        }
        for (Path file : all.subList(Math.min(KEPT, all.size()), all.size())) {
            Files.deleteIfExists(file);
        }
    }

    private static long lastUse(Path file) {
        return file.toFile().lastModified();
    }
}
