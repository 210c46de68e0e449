package io.pilothouse.gateway.door;

import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.gateway.GatewayProtocol;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The gateway's host, and the ports that a service's row says are its own. */
public record GatewayAddresses(String host) implements Addresses {
    private static final String USER = "default";

    @Override
    public String host(Service service) {
        return host;
    }

    @Override
    public List<Endpoint> of(Service service) {
        List<Endpoint> endpoints = new ArrayList<>();
        ports(service.access()).forEach((protocol, port) -> {
            if (service.seen().speaks(protocol.wireName())) {
                endpoints.add(new Endpoint(protocol.wireName(), host, port, USER));
            }
        });
        return List.copyOf(endpoints);
    }

    /** Those of its ports that are open. */
    static Map<GatewayProtocol, Integer> ports(Access access) {
        Map<GatewayProtocol, Integer> open = new EnumMap<>(GatewayProtocol.class);
        ServicePorts ports = access.ports();
        if (ports != null) {
            open.put(GatewayProtocol.HTTPS, ports.https());
            open.put(GatewayProtocol.NATIVESECURE, ports.nativesecure());
            if (access.mysql()) {
                open.put(GatewayProtocol.MYSQL, ports.mysql());
            }
        }
        return open;
    }
}
