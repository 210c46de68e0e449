package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.testkit.FakePlane;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The engines that are really there, at their ports, whatever processes come and go. */
final class SimEngines {
    private final SimWorld world;
    private final SimFence fence;
    private final FakePlane plane;
    private final Map<UUID, ServicePorts> ports = new LinkedHashMap<>();
    private final SimChanges changes = new SimChanges();

    SimEngines(SimWorld world, SimFence fence) {
        this.world = world;
        this.fence = fence;
        this.plane = new FakePlane(
                world,
                world.upTo(Duration.ofSeconds(30)).plusMillis(1),
                world.upTo(Duration.ofSeconds(15)).plusMillis(1));
    }

    /** Every service that has an engine or data. */
    Set<UUID> there() {
        ports.keySet().removeIf(id -> plane.condition(id) == Condition.ABSENT);
        return ports.keySet();
    }

    Condition condition(UUID serviceId) {
        return plane.condition(serviceId);
    }

    OptionalLong data(UUID serviceId) {
        return plane.data(serviceId);
    }

    boolean runsAs(Service service) {
        return plane.runsAs(service);
    }

    void breakDown(UUID serviceId) {
        plane.breakDown(serviceId, "It was killed");
    }

    /** As a process reaches it. */
    DataPlane through(SimPort port, SimFaults faults) {
        return new DataPlane() {
            @Override
            public Sight observe(Service service) throws PlaneFault {
                return port.call(
                        "look at " + service.id(), () -> reached(faults).observe(service), PlaneFault::new);
            }

            @Override
            public void start(Service service) throws PlaneFault {
                changes.make(port, "start of ", service.id(), () -> begin(service, faults));
            }

            @Override
            public void stop(Service service) throws PlaneFault {
                changes.make(port, "stop of ", service.id(), () -> {
                    reached(faults).stop(service);
                    return true;
                });
            }

            @Override
            public void erase(Service service) throws PlaneFault {
                changes.make(port, "erasure of ", service.id(), () -> {
                    reached(faults).erase(service);
                    return true;
                });
            }

            @Override
            public Database database() {
                return plane.database();
            }

            @Override
            public String name() {
                return plane.name();
            }
        };
    }

    private FakePlane reached(SimFaults faults) throws PlaneFault {
        if (faults.planeAway()) {
            throw new PlaneFault("The data plane is away");
        }
        return plane;
    }

    private boolean begin(Service service, SimFaults faults) throws PlaneFault {
        FakePlane reached = reached(faults);
        fence.letBegin(Service.KIND, service.id());
        reached.start(service);
        world.touch(Service.KIND);
        ServicePorts own = service.access().ports();
        if (own == null) {
            throw new SimBroken("An engine without ports: " + service.id());
        }
        Set<Integer> taken = new HashSet<>();
        there().stream()
                .filter(id -> !id.equals(service.id()))
                .map(ports::get)
                .map(ServicePorts::all)
                .flatMap(List::stream)
                .forEach(taken::add);
        if (own.all().stream().anyMatch(taken::contains)) {
            throw new SimBroken("An engine at a port that another has: " + service.id());
        }
        ports.put(service.id(), own);
        return true;
    }
}
