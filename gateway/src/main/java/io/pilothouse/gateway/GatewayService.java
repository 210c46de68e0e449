package io.pilothouse.gateway;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * All that the gateway knows about one service: a newer one replaces it while connections live on.
 *
 * @param name by which it is asked for at the ports that services share; empty where it has its own for everything
 * @param ownerId whose it is; all services of an owner share what one owner may take of the gateway
 */
public record GatewayService(
        UUID id,
        UUID ownerId,
        Optional<String> name,
        Map<GatewayProtocol, Integer> ports,
        AccessList accessList,
        GatewayLimits limits,
        GatewayBackend backend) {
    public GatewayService {
        ports = Map.copyOf(ports);
    }

    /** One with ports of its own. */
    public GatewayService(
            UUID id,
            UUID ownerId,
            Map<GatewayProtocol, Integer> ports,
            AccessList accessList,
            GatewayLimits limits,
            GatewayBackend backend) {
        this(id, ownerId, Optional.empty(), ports, accessList, limits, backend);
    }

    /** The same, asked for by this name. */
    public GatewayService named(String by) {
        return new GatewayService(id, ownerId, Optional.of(by), ports, accessList, limits, backend);
    }
}
