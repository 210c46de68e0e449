package io.pilothouse.core.figure;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The figures of running databases. It asks only what runs already: a service that sleeps is not woken, and none is
 * started. Safe for many threads.
 */
@FunctionalInterface
public interface DatabaseFigures {
    /**
     * What its database says now; empty for a service whose database does not run.
     *
     * @throws PlaneFault if it runs and gives no answer in that time
     */
    Optional<List<Figure>> read(Service service, Duration atMost) throws PlaneFault;

    /**
     * The services whose databases are known to run; of a plane that has none, nobody's.
     *
     * @throws PlaneFault if the plane cannot say
     */
    default Set<UUID> running() throws PlaneFault {
        return Set.of();
    }

    /**
     * How the database of a service was in the last minute, without what this program itself asked; empty for one that
     * does not run.
     *
     * @throws PlaneFault if it runs and gives no answer in that time
     */
    default Optional<Pulse> pulse(UUID serviceId, Duration atMost) throws PlaneFault {
        return Optional.empty();
    }
}
