package io.pilothouse.gateway;

import java.util.Map;
import java.util.UUID;

/** All that the gateway knows about one service: a newer one replaces it while connections live on. */
public record GatewayService(
        UUID id,
        Map<GatewayProtocol, Integer> ports,
        AccessList accessList,
        GatewayLimits limits,
        GatewayBackend backend) {
    public GatewayService {
        ports = Map.copyOf(ports);
    }
}
