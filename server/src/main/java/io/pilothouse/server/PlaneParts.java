package io.pilothouse.server;

import io.pilothouse.core.backup.BackupPlaces;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.core.setting.SettingTable;
import io.pilothouse.core.snapshot.SnapshotData;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.plane.local.bucket.Roles;
import io.pilothouse.plane.simulated.SimulatedAddresses;
import io.pilothouse.plane.simulated.SimulatedBackups;
import io.pilothouse.plane.simulated.SimulatedPlane;
import io.pilothouse.plane.simulated.SimulatedRunner;
import io.pilothouse.plane.simulated.SimulatedSettings;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A data plane with what comes with it, such as what runs its pipes: how it begins once the engine can be woken, and
 * what people should know; {@code fence} is whether databases are kept apart, or what they are not kept from, and
 * {@code meter} writes its own figures. {@code memory} forgets what is remembered of things with these ids; empty where
 * more is remembered than can be forgotten. {@code data} is what services have beside their rows, if they have any.
 */
record PlaneParts(
        DataPlane plane,
        Backups backups,
        PipeRunner pipes,
        PipeSchemaReader schemas,
        Addresses addresses,
        WayIn wayIn,
        DatabaseFigures figures,
        QueryDatabases queries,
        Supplier<Optional<SettingTable>> settings,
        Beginning beginning,
        List<String> notices,
        String fence,
        Optional<Path> authority,
        Consumer<MetricsText> meter,
        Optional<Inside> inside,
        Optional<Consumer<Set<UUID>>> memory,
        Optional<SnapshotData> data) {
    /** The way of the program into real databases, how it wakes one, and the roles it can take on outside, if any. */
    record Inside(Databases databases, ServiceSleep sleep, Optional<Roles> roles) {}

    /**
     * The parts that a plane is made from; {@code storeIdentity} tells this store from others and is empty for an empty
     * one, {@code logins} counts the failed ones at its databases.
     */
    record Ground(
            Config config,
            Clock clock,
            SecureRandom random,
            Store store,
            Optional<String> storeIdentity,
            Home home,
            ServiceFollower followers,
            BackupPlaces places,
            WebhookAddresses addresses,
            ExecutorService threads,
            Guesses logins,
            Opened opened) {}

    /** Takes up what runs already, and serves from then on; {@code engine} is notified of what it should look at. */
    @FunctionalInterface
    interface Beginning {
        void begin(Wake engine) throws StartRefused;
    }

    PlaneParts {
        notices = List.copyOf(notices);
    }

    /** A plane without databases, so that there is nothing to begin with and nothing to copy. */
    static PlaneParts simulated(Ground ground, SimulatedPlane plane, List<String> notices) {
        return simulated(ground, plane, Optional.of(plane::forget), notices);
    }

    /** The same with a plane that remembers more than can be forgotten. */
    static PlaneParts simulated(Ground ground, DataPlane plane) {
        return simulated(ground, plane, Optional.empty(), List.of());
    }

    private static PlaneParts simulated(
            Ground ground, DataPlane plane, Optional<Consumer<Set<UUID>>> memory, List<String> notices) {
        // A simulated copy takes as long as a simulated start.
        SimulatedBackups backups =
                new SimulatedBackups(ground.clock(), ground.config().get(Options.SIMULATED_PROVISIONING_TIME));
        SimulatedRunner pipes = new SimulatedRunner(ground.clock(), pipePhase(ground.config()));
        Addresses addresses = new SimulatedAddresses(ground.config().find(Options.SERVICE_DOMAIN));
        return new PlaneParts(
                plane,
                backups,
                pipes,
                PipeSchemaReader.none("Services are simulated here, and nothing is read for them."),
                addresses,
                WayIn.BY_NAME,
                (_, _) -> Optional.empty(),
                QueryDatabases.none("Services are simulated here: none has a database that could run SQL"),
                () -> Optional.of(SimulatedSettings.TABLE),
                _ -> {},
                notices,
                DatabaseFence.NOT_NEEDED,
                Optional.empty(),
                _ -> {},
                Optional.empty(),
                memory.map(services -> services.andThen(backups::forget).andThen(pipes::forget)),
                Optional.empty());
    }

    /** The same with the plane that stands in front of this one. */
    PlaneParts through(UnaryOperator<DataPlane> front) {
        return new PlaneParts(
                front.apply(plane),
                backups,
                pipes,
                schemas,
                addresses,
                wayIn,
                figures,
                queries,
                settings,
                beginning,
                notices,
                fence,
                authority,
                meter,
                inside,
                memory,
                data);
    }

    /** Several phases of a simulated pipe together take about as long as a service does. */
    static Duration pipePhase(Config config) {
        return Duration.ofNanos(config.get(Options.SIMULATED_PROVISIONING_TIME).toNanos() / 2);
    }
}
