package io.pilothouse.server.emulator;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.injection.InjectionOperations;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.http.emulator.FaultRoutes;
import io.pilothouse.http.emulator.InjectedRoutes;
import io.pilothouse.http.emulator.InjectionJson;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.plane.simulated.InjectedPlane;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Faults on demand: what they strike, how they are set, and the plan that a start may bring. */
final class FaultControl implements AutoCloseable {
    private static final Logger LOG = System.getLogger(FaultControl.class.getName());
    private static final long MAX_PLAN_BYTES = 1 << 20;

    private final LongSupplier seeds;
    private final Injections injections;
    private final InjectedRoutes injected;
    private final Optional<Path> plan;

    private FaultControl(LongSupplier seeds, int rateLimit, Optional<Path> plan) {
        this.seeds = seeds;
        this.injections = new Injections(seeds.getAsLong());
        this.injected = new InjectedRoutes(injections, rateLimit);
        this.plan = plan;
    }

    static FaultControl of(Config config, SecureRandom random) {
        return new FaultControl(
                () -> random.nextInt(Integer.MAX_VALUE), config.get(Options.RATE_LIMIT), config.find(Options.FAULTS));
    }

    List<AnyRoute> around(List<AnyRoute> routes) {
        return injected.around(routes);
    }

    DataPlane around(DataPlane plane) {
        return new InjectedPlane(plane, injections);
    }

    /** Remembers nothing of what has these ids any more. */
    void forget(Set<UUID> ids) {
        ids.forEach(injections::forget);
    }

    /** What answers the controls; the plan is in force from here on. */
    FaultRoutes routes(Emulator.World world, Clock clock) throws CommandRefused {
        InjectionOperations operations = new InjectionOperations(
                world.store(), clock, injections, names(world.requested()), seeds, world.dispatcher());
        if (plan.isPresent()) {
            begin(operations, plan.get());
        }
        return new FaultRoutes(operations);
    }

    private static Set<String> names(List<AnyRoute> routes) {
        return routes.stream()
                .filter(route -> switch (route) {
                    case Route _ -> true;
                    case PublicRoute _ -> false;
                })
                .map(AnyRoute::operationId)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void begin(InjectionOperations operations, Path file) throws CommandRefused {
        try {
            if (Files.size(file) > MAX_PLAN_BYTES) {
                throw new CommandRefused("The plan of faults in " + file + " is larger than a megabyte");
            }
            Faults faults = new Faults();
            InjectionOperations.Plan plan = InjectionJson.readPlan(Files.readAllBytes(file), faults);
            Injections.Standing standing = operations.begin(plan, faults);
            LOG.log(
                    Level.INFO,
                    "{0} faults are set from {1}, with the seed {2}",
                    standing.injections().size(),
                    file,
                    Long.toString(standing.seed()));
        } catch (IOException e) {
            throw new CommandRefused("The plan of faults in " + file + " cannot be read", e);
        } catch (Refused refused) {
            throw new CommandRefused("The plan of faults in " + file + " cannot be used: " + why(refused), refused);
        }
    }

    private static String why(Refused refused) {
        return refused.details().isEmpty()
                ? refused.sentence()
                : refused.details().stream().map(FaultControl::line).collect(Collectors.joining("; "));
    }

    private static String line(Fault fault) {
        return fault.path().isEmpty() ? fault.message() : fault.path() + " " + fault.message();
    }

    @Override
    public void close() {
        injected.close();
    }
}
