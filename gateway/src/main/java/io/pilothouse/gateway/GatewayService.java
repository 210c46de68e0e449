package io.pilothouse.gateway;

import java.util.Map;
import java.util.UUID;

/**
 * All that the gateway knows about one service: a newer one replaces it while connections live on.
 *
 * @param ownerId whose it is; all services of an owner share what one owner may take of the gateway
 */
public record GatewayService(
        UUID id,
        UUID ownerId,
        Map<GatewayProtocol, Integer> ports,
        AccessList accessList,
        GatewayLimits limits,
        GatewayBackend backend) {
    public GatewayService {
        ports = Map.copyOf(ports);
    }
}
