package io.pilothouse.gateway.door;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Databases that are all what a test says they are. */
final class SwitchedDatabases implements DoorDatabases {
    static final GatewayReach RUNNING = new GatewayReach.Ready(InetSocketAddress.createUnresolved("127.0.0.1", 1));

    private GatewayReach reach = new GatewayReach.Asleep();
    private @Nullable String fault;
    private boolean busy;

    void are(GatewayReach now) {
        reach = now;
    }

    void cannotBeLookedAt(String reason) {
        fault = reason;
    }

    void work(boolean now) {
        busy = now;
    }

    @Override
    public GatewayReach reach(Service service, GatewayProtocol protocol) {
        return reach;
    }

    @Override
    public GatewayReach look(Service service, GatewayProtocol protocol) throws PlaneFault {
        if (fault != null) {
            throw new PlaneFault(fault);
        }
        return reach;
    }

    @Override
    public boolean isBusy(UUID serviceId) {
        return busy;
    }
}
