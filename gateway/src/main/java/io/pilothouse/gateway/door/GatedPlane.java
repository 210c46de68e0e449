package io.pilothouse.gateway.door;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import java.util.List;

/** A plane with its gateway in front: whatever the engine looks at, the gateway serves in the same breath. */
public final class GatedPlane implements DataPlane {
    private final DataPlane plane;
    private final Doors doors;

    public GatedPlane(DataPlane plane, Doors doors) {
        this.plane = plane;
        this.doors = doors;
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        // First of all: a narrower access list must not wait for a database that is slow to answer.
        doors.serve(service);
        return plane.observe(service);
    }

    @Override
    public void start(Service service) throws PlaneFault {
        plane.start(service);
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        if (doors.mayStop(service)) {
            plane.stop(service);
        }
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        doors.shut(service.id());
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
