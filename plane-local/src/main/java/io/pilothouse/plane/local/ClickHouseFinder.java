package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.BundledPackage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the ClickHouse to run: the configured one, otherwise the machine's, otherwise the bundled one if it is
 * installed.
 */
public final class ClickHouseFinder {
    private static final Pattern VERSION = Pattern.compile("version (\\d+(?:\\.\\d+)+)");
    private static final int MAX_ANSWER_SECONDS = 10;

    private final Places places;
    private final Function<Path, Optional<String>> versionOf;

    public ClickHouseFinder(Places places) {
        this(places, ClickHouseFinder::askVersion);
    }

    ClickHouseFinder(Places places, Function<Path, Optional<String>> versionOf) {
        this.places = places;
        this.versionOf = versionOf;
    }

    /** Where to look; a path that was configured by hand is the only one looked at. */
    public record Places(
            Optional<Path> configured,
            List<Path> searchPath,
            Path home,
            Path cache,
            Optional<BundledPackage> bundledPackage) {
        public Places {
            searchPath = List.copyOf(searchPath);
        }
    }

    public ClickHouse find() {
        if (places.configured().isPresent()) {
            return configured(places.configured().get());
        }
        return onSearchPath().or(this::newestOfHome).or(this::bundled).orElseGet(this::none);
    }

    private ClickHouse configured(Path path) {
        if (path.getFileName() != null && path.getFileName().toString().startsWith("libchdb.")) {
            return Files.isRegularFile(path)
                    ? new ClickHouse.Bundled(path, Optional.empty())
                    : new ClickHouse.None("There is no ClickHouse library at " + path + ".");
        }
        return isProgram(path)
                ? binary(path)
                : new ClickHouse.None("There is no ClickHouse program at " + path + ", which was configured.");
    }

    private Optional<ClickHouse> onSearchPath() {
        return places.searchPath().stream()
                .map(folder -> folder.resolve("clickhouse"))
                .filter(ClickHouseFinder::isProgram)
                .findFirst()
                .map(this::binary);
    }

    private Optional<ClickHouse> newestOfHome() {
        Path versions = places.home().resolve(".clickhouse").resolve("versions");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> entries = Files.list(versions)) {
            return entries.sorted(Comparator.comparing(Path::getFileName, ClickHouseFinder::compareVersions)
                            .reversed())
                    .flatMap(entry -> Stream.of(entry, entry.resolve("clickhouse")))
                    .filter(ClickHouseFinder::isProgram)
                    .findFirst()
                    .map(this::binary);
        } catch (IOException failure) {
            throw new UncheckedIOException("The folder " + versions + " cannot be read.", failure);
        }
    }

    private Optional<ClickHouse> bundled() {
        return places.bundledPackage()
                .map(wanted -> new ClickHouse.Bundled(
                        places.cache().resolve(wanted.folderName()).resolve(wanted.libraryFile()),
                        Optional.of(wanted.dbVersion())))
                .filter(database -> Files.isRegularFile(database.library()))
                .map(ClickHouse.class::cast);
    }

    private ClickHouse none() {
        return new ClickHouse.None(
                places.bundledPackage().isPresent()
                        ? "No ClickHouse was found and the bundled ClickHouse is not installed."
                        : "No ClickHouse was found, and there is no bundled ClickHouse for this kind of machine.");
    }

    private static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    private ClickHouse binary(Path program) {
        return new ClickHouse.Binary(program, versionOf.apply(program));
    }

    private static Optional<String> askVersion(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            try {
                if (!process.waitFor(MAX_ANSWER_SECONDS, TimeUnit.SECONDS)) {
                    return Optional.empty();
                }
                Matcher matcher =
                        VERSION.matcher(new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8));
                return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failure) {
            // It may still run as a server, which is then asked for its version.
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Compares number by number, so that 25.10 is newer than 25.9; a part that is not a number counts as zero. */
    static int compareVersions(Path one, Path other) {
        List<Long> left = numbers(one.toString());
        List<Long> right = numbers(other.toString());
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = Long.compare(i < left.size() ? left.get(i) : 0, i < right.size() ? right.get(i) : 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<Long> numbers(String text) {
        List<Long> found = new ArrayList<>();
        Matcher matcher = Pattern.compile("\\d{1,18}").matcher(text);
        while (matcher.find()) {
            found.add(Long.valueOf(matcher.group()));
        }
        return found;
    }
}
