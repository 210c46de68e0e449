package io.pilothouse.plane.simulated;

import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import java.util.List;

/** Any plane, of whose services some look as if something were wrong with them; nothing is done to them. */
public final class InjectedPlane implements DataPlane {
    private final DataPlane plane;
    private final Injections injections;

    public InjectedPlane(DataPlane plane, Injections injections) {
        this.plane = plane;
        this.injections = injections;
    }

    /** A service that is to stop or go is seen as it is, so that nothing of it is left behind. */
    @Override
    public Sight observe(Service service) throws PlaneFault {
        Sight sight = plane.observe(service);
        return switch (service.wish()) {
            case RUN -> injections.seen(service, sight);
            case STOP, SLEEP -> sight;
            case DELETE -> {
                injections.forget(service.id());
                yield sight;
            }
        };
    }

    @Override
    public void start(Service service) throws PlaneFault {
        if (!injections.holds(service)) {
            plane.start(service);
        }
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        plane.stop(service);
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        plane.erase(service);
    }

    @Override
    public Database database() {
        return plane.database();
    }

    @Override
    public List<Offer> offers() {
        return plane.offers();
    }

    @Override
    public String name() {
        return plane.name();
    }
}
