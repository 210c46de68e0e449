package io.pilothouse.gateway.door;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import java.util.UUID;

/** The databases that doors lead to, as the plane that runs them knows them. Safe for many threads. */
public interface DoorDatabases {
    /**
     * Where the service's database is reached, from memory: never waits and never wakes it. It counts as asleep until
     * it runs and holds the data that its service begins with, or a client would write between its lines.
     */
    GatewayReach reach(Service service, GatewayProtocol protocol);

    /**
     * The same by a look, which may take a while; unavailable if the database cannot run.
     *
     * @throws PlaneFault if it cannot be looked at
     */
    GatewayReach look(Service service, GatewayProtocol protocol) throws PlaneFault;

    /** Whether it works on something that no client waits for, and must stay awake; from memory. */
    boolean isBusy(UUID serviceId);
}
