package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.BundledPackage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private static final String UNKNOWN = "unknown";
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

    /**
     * All of the kind of the one that was found, as their versions follow each other, that one last where it is newest;
     * one that was configured stands alone.
     */
    public Installs installs(ClickHouse found) {
        if (places.configured().isPresent()) {
            return new Installs(List.of(installed(found)));
        }
        Stream<ClickHouse> others = switch (found) {
            case ClickHouse.Bundled _ -> libraries();
            case ClickHouse.Binary binary ->
                programsOfHome()
                        .filter(each -> each.version().isPresent() && each.isScript() == binary.isScript())
                        .map(ClickHouse.class::cast);
            case ClickHouse.None _ -> Stream.empty();
        };
        Map<String, Installs.Installed> byVersion = new LinkedHashMap<>();
        Stream.concat(Stream.of(found), others)
                .map(ClickHouseFinder::installed)
                .forEach(each -> byVersion.putIfAbsent(each.version(), each));
        return new Installs(byVersion.values().stream()
                .sorted(Comparator.comparing(each -> Path.of(each.version()), ClickHouseFinder::compareVersions))
                .toList());
    }

    /** The newest bundled ClickHouse that is there, where the one that is wanted is not. */
    public Optional<ClickHouse> newestLibrary() {
        return libraries()
                .max(Comparator.comparing(
                        each -> Path.of(installed(each).version()), ClickHouseFinder::compareVersions));
    }

    private Stream<ClickHouse> libraries() {
        return places.bundledPackage().stream()
                .flatMap(wanted -> entries(places.cache())
                        .filter(folder -> folder.getFileName().toString().startsWith(BundledPackage.FOLDER))
                        .map(folder -> folder.resolve(wanted.libraryFile())))
                .filter(Files::isRegularFile)
                .map(library -> new ClickHouse.Bundled(library, Optional.empty()));
    }

    private Stream<ClickHouse.Binary> programsOfHome() {
        return entries(places.home().resolve(".clickhouse").resolve("versions"))
                .flatMap(entry -> Stream.of(entry, entry.resolve("clickhouse")))
                .filter(ClickHouseFinder::isProgram)
                .map(program -> new ClickHouse.Binary(program, versionOf.apply(program)));
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("The folder " + folder + " cannot be read.", failure);
        }
    }

    private static Stream<Path> entries(Path folder) {
        return Files.isDirectory(folder) ? list(folder).stream() : Stream.empty();
    }

    /** A library by the folder that it was installed in, whatever the ClickHouse in it says; a program by what it says. */
    private static Installs.Installed installed(ClickHouse clickhouse) {
        return switch (clickhouse) {
            case ClickHouse.Bundled(Path library, Optional<String> _) ->
                new Installs.Installed(BundledPackage.versionAt(library), clickhouse, since(library));
            case ClickHouse.Binary(Path program, Optional<String> version) ->
                new Installs.Installed(version.orElse(UNKNOWN), clickhouse, since(program));
            case ClickHouse.None _ -> new Installs.Installed(UNKNOWN, clickhouse, Instant.EPOCH);
        };
    }

    private static Instant since(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException gone) {
            return Instant.EPOCH;
        }
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
        return entries(places.home().resolve(".clickhouse").resolve("versions"))
                .sorted(Comparator.comparing(Path::getFileName, ClickHouseFinder::compareVersions)
                        .reversed())
                .flatMap(entry -> Stream.of(entry, entry.resolve("clickhouse")))
                .filter(ClickHouseFinder::isProgram)
                .findFirst()
                .map(this::binary);
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
