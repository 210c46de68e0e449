package io.pilothouse.core.service;

import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.port.PlaneFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Puts an end to waiting for a plane: a call that takes too long is interrupted and becomes a fault, whether it heeds
 * the interrupt or not. While a call is still out, its service gets no second one.
 */
public final class TimeLimitedPlane implements DataPlane {
    private final DataPlane plane;
    private final TimeLimit limit;
    private final Duration lookLimit;
    private final Duration actLimit;

    public TimeLimitedPlane(DataPlane plane, ExecutorService executor, Duration lookLimit, Duration actLimit) {
        this.plane = plane;
        this.limit = new TimeLimit(executor);
        this.lookLimit = lookLimit;
        this.actLimit = actLimit;
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        return limit.within(lookLimit, service.id(), () -> plane.observe(service));
    }

    @Override
    public void start(Service service) throws PlaneFault {
        limit.within(actLimit, service.id(), () -> {
            plane.start(service);
            return true;
        });
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        limit.within(actLimit, service.id(), () -> {
            plane.stop(service);
            return true;
        });
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        limit.within(actLimit, service.id(), () -> {
            plane.erase(service);
            return true;
        });
    }

    @Override
    public List<Endpoint> endpoints(Service service) {
        return plane.endpoints(service);
    }

    @Override
    public String name() {
        return plane.name();
    }
}
