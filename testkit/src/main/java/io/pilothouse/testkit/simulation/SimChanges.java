package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.PlaneFault;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The calls that change things outside: two at once of one process for the same thing, each of which could start it, are
 * not forgiven. Of two processes one has lost its lease then, which {@link SimFence} knows.
 */
final class SimChanges {
    private final Map<UUID, SimPort> underWay = new HashMap<>();

    void make(SimPort port, String what, UUID id, SimPort.Call<Boolean, PlaneFault> change) throws PlaneFault {
        if (underWay.get(id) == port) {
            throw new SimBroken("Two calls at once change " + id);
        }
        underWay.put(id, port);
        try {
            port.call(what + id, change, PlaneFault::new);
        } finally {
            underWay.remove(id, port);
        }
    }
}
