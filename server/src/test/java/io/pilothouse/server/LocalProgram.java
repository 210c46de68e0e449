package io.pilothouse.server;

import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.testkit.ToolCache;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The program with real databases, for tests; where the bundled ClickHouse cannot be had they are skipped. */
final class LocalProgram {
    /** How far the program's clock is ahead. */
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    private final Ports ports;

    /** Where its gateway and its databases listen. */
    private record Ports(String gateway, String databases) {
        private static final Ports OF_MOST = new Ports("23000-23899", "24000-24899");
        private static final Ports BESIDE_THEM = new Ports("23900-23999", "24900-24999");
    }

    LocalProgram() {
        this(Ports.OF_MOST);
    }

    private LocalProgram(Ports ports) {
        this.ports = ports;
    }

    /** For a test that runs beside others: two programs that look for free ports at once can find the same. */
    static LocalProgram besideOthers() {
        return new LocalProgram(Ports.BESIDE_THEM);
    }

    /** A second host of one store: ports at which services are reached may be the same everywhere. */
    static LocalProgram onAnotherHost() {
        return new LocalProgram(new Ports(Ports.OF_MOST.gateway(), Ports.BESIDE_THEM.databases()));
    }

    /** The flags that make it run databases here, beside whatever else uses this machine. */
    static String[] flags() throws StartRefused {
        return flags(Ports.OF_MOST);
    }

    /** The same flags and some more. */
    static String[] flagsAnd(String... more) throws StartRefused {
        return Stream.concat(Stream.of(flags()), Stream.of(more)).toArray(String[]::new);
    }

    private static String[] flags(Ports ports) throws StartRefused {
        return List.of(
                        "--plane",
                        "local",
                        "--engine",
                        engine(),
                        "--gateway-ports",
                        ports.gateway(),
                        "--engine-ports",
                        ports.databases())
                .toArray(String[]::new);
    }

    /** The bundled ClickHouse of this machine. */
    static String engine() throws StartRefused {
        Optional<BundledPackage> wanted = PlaneChoice.offered();
        Assumptions.assumeTrue(wanted.isPresent(), "There is no bundled ClickHouse for this kind of machine.");
        PlaneChoice choice =
                new PlaneChoice(Map.of("XDG_CACHE_HOME", ToolCache.home().toString()), PlaneChoice.NPM);
        BundledInstall.Outcome outcome = choice.install(
                TestProgram.config(Path.of("unused"), Map.of()), wanted.orElseThrow(), System.out::println);
        return switch (outcome) {
            case BundledInstall.Outcome.Failed(String reason) -> Assumptions.abort(reason);
            case BundledInstall.Outcome.Installed(Path library) -> library.toString();
        };
    }

    /** Starts it in this process. */
    TestProgram start(Path folder, String... more) throws StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                () -> Instant.now().plus(ahead.get()),
                new SecureRandom(),
                Surroundings.ofProcess(Map.of()).plane(),
                log,
                request -> {});
        String[] flags = Stream.concat(Stream.of(flags(ports)), Stream.of(more)).toArray(String[]::new);
        return TestProgram.start(folder, surroundings, log, flags);
    }

    /** Lets time pass for the program. */
    void advance(Duration duration) {
        ahead.updateAndGet(duration::plus);
    }

    /** The process that a service's folder names; -1 while it is being started. */
    static long pid(Path mark) throws IOException {
        Matcher matcher = Pattern.compile("pid=(\\d+)").matcher(Files.readString(mark));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    static Path authority(Path folder) {
        return folder.resolve("tls").resolve("ca.crt");
    }
}
