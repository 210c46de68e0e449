package io.pilothouse.server;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import java.util.List;

/** A data plane that can do nothing. */
public final class NoPlane implements DataPlane {
    @Override
    public Sight observe(Service service) throws PlaneFault {
        throw new PlaneFault("The plane cannot look");
    }

    @Override
    public void start(Service service) throws PlaneFault {
        throw new PlaneFault("The plane cannot start");
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        throw new PlaneFault("The plane cannot stop");
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        throw new PlaneFault("The plane cannot erase");
    }

    @Override
    public Database database() {
        return new Database(null, List.of());
    }

    @Override
    public String name() {
        return "none";
    }
}
