package io.pilothouse.server.emulator;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.emulator.ClockOperations;
import io.pilothouse.core.emulator.ClockState;
import io.pilothouse.core.emulator.MovableClock;
import io.pilothouse.core.emulator.TenantOperations;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Lull;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.http.document.DocumentRoutes;
import io.pilothouse.http.emulator.ClockRoutes;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.emulator.FaultRoutes;
import io.pilothouse.http.emulator.SnapshotRoutes;
import io.pilothouse.http.emulator.TenantRoutes;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.metrics.MetricCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * The controls of the emulator, and what lets them reach into requests and the plane; without {@code --emulator} there
 * are none, and nothing stands in the way of either.
 */
public final class Emulator implements AutoCloseable {
    private static final Duration LULL = Duration.ofSeconds(10);

    private final Clock machine;
    private final Optional<MovableClock> movable;
    private final Optional<FaultControl> faults;
    private final Path folder;
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    private final Lull lull = new Lull(LULL);

    private Emulator(Path folder, Clock machine, Optional<MovableClock> movable, Optional<FaultControl> faults) {
        this.folder = folder;
        this.machine = machine;
        this.movable = movable;
        this.faults = faults;
    }

    /** {@code folder} is the data folder; {@code time} goes on whatever the controls do. */
    public static Emulator in(Path folder, Config config, Clock time, SecureRandom random) throws CommandRefused {
        ClockFile file = ClockFile.in(folder);
        Optional<ClockState> kept = file.read();
        Instant now = time.now();
        if (config.get(Options.EMULATOR)) {
            ClockState state = kept.orElseGet(() -> new ClockState(now, now, 1));
            return new Emulator(
                    folder,
                    time,
                    Optional.of(new MovableClock(time, state, file::write)),
                    Optional.of(FaultControl.of(config, random)));
        }
        if (config.find(Options.FAULTS).isPresent()) {
            throw new CommandRefused(Options.FAULTS.flag() + " goes with " + Options.EMULATOR.flag() + " alone");
        }
        if (kept.isPresent()) {
            forget(file.file(), kept.get().at(now), now);
        }
        return new Emulator(folder, time, Optional.empty(), Optional.empty());
    }

    /** From now on the machine's time counts, which must not be earlier than what it was here. */
    private static void forget(Path file, Instant shown, Instant now) throws CommandRefused {
        if (shown.isAfter(now)) {
            throw new CommandRefused("In this data folder it is " + shown + " already: start with "
                    + Options.EMULATOR.flag() + ", or with another folder");
        }
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new CommandRefused("The file " + file + " cannot be removed", e);
        }
    }

    /** The time that everything goes by. */
    public Clock clock() {
        return movable.map(Clock.class::cast).orElse(machine);
    }

    /** This pass as the dispatcher runs it: one that sends messages may take long, and changes nothing that goes back. */
    public Pass over(Tasks.Kind kind, Pass pass) {
        return movable.isEmpty() || kind == Tasks.Kind.DELIVERY ? pass : lull.over(pass);
    }

    /** Has this done after each move of time. */
    public void looksAfterMoves(Runnable... more) {
        looks.addAll(List.of(more));
    }

    /** The parts of the program that the controls work on. */
    public record Ground(
            World world,
            RuleBook rules,
            OrganizationOperations organizations,
            ServiceOperations services,
            SnapshotControl.Ground snapshots) {}

    /**
     * What is behind them; {@code requested} are the routes that clients ask for, {@code counter} has counts of requests
     * in memory, {@code databases} says whether services have some.
     */
    public record World(
            Store store,
            List<AnyRoute> requested,
            MetricCounter counter,
            Dispatcher dispatcher,
            boolean databases,
            Executor threads) {}

    /** These routes as clients meet them. */
    public List<AnyRoute> around(List<AnyRoute> routes) {
        return faults.map(control -> control.around(routes)).orElse(routes);
    }

    /** The plane as the engine meets it. */
    public DataPlane around(DataPlane plane) {
        return faults.map(control -> control.around(plane)).orElse(plane);
    }

    /** What answers the controls; empty where they are not wanted. */
    public List<AnyRoute> routes(Ground ground) throws CommandRefused {
        return movable.isPresent() && faults.isPresent() ? routes(ground, movable.get(), faults.get()) : List.of();
    }

    private List<AnyRoute> routes(Ground ground, MovableClock clock, FaultControl control) throws CommandRefused {
        World world = ground.world();
        TimeFollowers followers = new TimeFollowers(world.counter()::keepOrLog, looks, world.dispatcher());
        TenantOperations tenants = new TenantOperations(
                world.store(),
                clock,
                world.databases() ? Optional.of(ground.services()) : Optional.empty(),
                lull,
                ground.snapshots().memory().orElse(_ -> {}).andThen(control::forget));
        ErasureWatch watch = ErasureWatch.over(tenants, world.threads());
        Controls controls = new Controls(
                DocumentRoutes.ofEmulator(ground.rules()),
                new ClockRoutes(new ClockOperations(clock, followers)),
                new TenantRoutes(world.store(), ground.organizations(), tenants, watch::add),
                control.routes(world, clock),
                SnapshotControl.routes(ground.snapshots(), world.store(), clock, folder, lull, world.dispatcher()));
        List<AnyRoute> routes = new ArrayList<>();
        for (EmulatorOperation operation : EmulatorOperation.values()) {
            routes.add(controls.route(operation));
        }
        return List.copyOf(routes);
    }

    private record Controls(
            DocumentRoutes document,
            ClockRoutes clock,
            TenantRoutes tenants,
            FaultRoutes faults,
            SnapshotRoutes snapshots) {
        AnyRoute route(EmulatorOperation operation) {
            return switch (operation) {
                case emulatorOpenapiGet -> operation.open(document::get);
                case emulatorClockGet -> operation.forOperators(clock::get);
                case emulatorClockPut -> operation.forOperators(clock::put);
                case emulatorOrganizationGetList -> operation.forOperators(tenants::list);
                case emulatorOrganizationCreate -> operation.forOperators(tenants::create);
                case emulatorOrganizationErase -> operation.forOperators(tenants::erase);
                case emulatorFaultGetList -> operation.forOperators(faults::list);
                case emulatorFaultCreate -> operation.forOperators(faults::add);
                case emulatorFaultReplaceAll -> operation.forOperators(faults::replace);
                case emulatorFaultDeleteAll -> operation.forOperators(faults::removeAll);
                case emulatorFaultDelete -> operation.forOperators(faults::remove);
                case emulatorSnapshotGetList -> operation.forOperators(snapshots::list);
                case emulatorSnapshotGet -> operation.forOperators(snapshots::get);
                case emulatorSnapshotTake -> operation.forOperators(snapshots::take);
                case emulatorSnapshotReturn -> operation.forOperators(snapshots::goBack);
                case emulatorSnapshotFork -> operation.forOperators(snapshots::fork);
                case emulatorSnapshotDelete -> operation.forOperators(snapshots::delete);
            };
        }
    }

    @Override
    public void close() {
        faults.ifPresent(FaultControl::close);
    }
}
