package io.pilothouse.testkit;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import java.util.function.Consumer;

/** Calls back before and after each call of a plane, where a process may die. */
public final class WatchedPlane implements DataPlane {
    private final DataPlane plane;
    private final Consumer<String> watcher;

    public WatchedPlane(DataPlane plane, Consumer<String> watcher) {
        this.plane = plane;
        this.watcher = watcher;
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        watcher.accept("before observe");
        Sight sight = plane.observe(service);
        watcher.accept("after observe");
        return sight;
    }

    @Override
    public void start(Service service) throws PlaneFault {
        watcher.accept("before start");
        plane.start(service);
        watcher.accept("after start");
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        watcher.accept("before stop");
        plane.stop(service);
        watcher.accept("after stop");
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        watcher.accept("before erase");
        plane.erase(service);
        watcher.accept("after erase");
    }

    @Override
    public Database database() {
        return plane.database();
    }

    @Override
    public String name() {
        return plane.name();
    }
}
