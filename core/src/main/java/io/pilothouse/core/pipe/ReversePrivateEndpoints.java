package io.pilothouse.core.pipe;

import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.port.PlaneFault;

/**
 * Connects services to sources in private networks. Everything is addressed by
 * id and may be asked again at any time; only the engine calls it. A call that fails throws {@link PlaneFault}.
 */
public interface ReversePrivateEndpoints {
    /**
     * How far an endpoint is; {@link Status#UNKNOWN} for one that was never connected or is removed. Changes nothing.
     */
    Status observe(ReversePrivateEndpoint endpoint) throws PlaneFault;

    /** Begins to connect an endpoint; one that is connected is left as it is. */
    void connect(ReversePrivateEndpoint endpoint) throws PlaneFault;

    /** Begins to take an endpoint away; one that is not there is ignored. */
    void remove(ReversePrivateEndpoint endpoint) throws PlaneFault;
}
