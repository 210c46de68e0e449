package io.pilothouse.gateway.door;

import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import java.util.Optional;
import java.util.UUID;

/** What doors ask of the store, each time in a transaction of its own. Safe for many threads. */
public interface DoorRows {
    Ports.Known ports();

    Optional<Service> find(UUID id);

    /**
     * Gives it these ports unless it has some; the row as it is then, or empty when there is none.
     *
     * @throws TakenMeanwhile if another has one of them
     */
    Optional<Service> reserve(UUID id, ServicePorts ports);
}
