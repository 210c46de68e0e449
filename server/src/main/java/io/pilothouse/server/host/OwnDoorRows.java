package io.pilothouse.server.host;

import io.pilothouse.core.host.Host;
import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.gateway.door.DoorRows;
import java.util.Optional;
import java.util.UUID;

/** The rows of the services whose doors are here: all of the store's or, where several hosts have some, those of this host. */
public record OwnDoorRows(Store store, Optional<Host> here, ServiceSleep operations) implements DoorRows {
    @Override
    public Ports.Known ports() {
        return store.read(tables -> tables.ports().known());
    }

    @Override
    public Optional<Service> find(UUID id) {
        return store.read(tables -> tables.of(Service.KIND).find(id)).filter(this::isHere);
    }

    private boolean isHere(Service row) {
        return here.isEmpty() || here.get().id().equals(row.hostId());
    }

    @Override
    public Optional<Service> reserve(UUID id, ServicePorts ports) {
        return operations.reserve(id, ports);
    }
}
