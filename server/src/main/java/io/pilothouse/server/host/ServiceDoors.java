package io.pilothouse.server.host;

import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.gateway.door.DoorRows;
import io.pilothouse.gateway.door.SleepRequests;
import java.util.Optional;
import java.util.UUID;

/** What doors ask of the store. */
public final class ServiceDoors {
    private ServiceDoors() {}

    /** How services are put to sleep and woken. */
    public static SleepRequests rest(ServiceSleep operations) {
        return new SleepRequests() {
            @Override
            public Optional<Service> sleep(UUID id) {
                return operations.sleep(id);
            }

            @Override
            public Optional<Service> wake(UUID id) {
                return operations.wake(id);
            }

            @Override
            public void look(UUID id) {
                operations.look(id);
            }
        };
    }

    /** What their rows say. */
    public static DoorRows rows(Store store, ServiceSleep operations) {
        return new DoorRows() {
            @Override
            public Ports.Known ports() {
                return store.read(tables -> tables.ports().known());
            }

            @Override
            public Optional<Service> find(UUID id) {
                return store.read(tables -> tables.of(Service.KIND).find(id));
            }

            @Override
            public Optional<Service> reserve(UUID id, ServicePorts ports) {
                return operations.reserve(id, ports);
            }
        };
    }
}
