package io.pilothouse.gateway.door;

import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.name.SharedPorts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the gateway serves a service: at its host and the ports that the service's row says are its own, or by the
 * service's name at ports that all share.
 */
public record GatewayAddresses(String host, Optional<SharedPorts> shared) implements Addresses {
    private static final String USER = "default";

    @Override
    public String host(Service service) {
        return name(service).orElseGet(() -> at(service, host));
    }

    /** Several hosts each have services at an address of their own. */
    private static String at(Service service, String here) {
        Service.Host of = service.fixed().host();
        return of == null ? here : of.address();
    }

    /** By which it is asked for at shared ports; empty without them. */
    Optional<String> name(Service service) {
        return shared.map(ports -> Addresses.nameUnder(at(service, ports.domain()), service.id()));
    }

    @Override
    public List<Endpoint> of(Service service) {
        String host = host(service);
        List<Endpoint> endpoints = new ArrayList<>();
        shown(service.access()).forEach((protocol, port) -> {
            if (service.seen().speaks(protocol.wireName())) {
                endpoints.add(new Endpoint(protocol.wireName(), host, port, USER));
            }
        });
        return List.copyOf(endpoints);
    }

    /** What clients of each protocol are given, whose own or shared. */
    Map<GatewayProtocol, Integer> shown(Access access) {
        Map<GatewayProtocol, Integer> ports = ports(access);
        shared.ifPresent(both -> {
            ports.put(GatewayProtocol.HTTPS, both.https());
            ports.put(GatewayProtocol.NATIVESECURE, both.nativesecure());
        });
        return ports;
    }

    /** Those of its own ports that are open. */
    Map<GatewayProtocol, Integer> ports(Access access) {
        Map<GatewayProtocol, Integer> open = new EnumMap<>(GatewayProtocol.class);
        ServicePorts ports = access.ports();
        if (ports != null) {
            if (shared.isEmpty()) {
                open.put(GatewayProtocol.HTTPS, ports.https());
                open.put(GatewayProtocol.NATIVESECURE, ports.nativesecure());
            }
            if (access.mysql()) {
                open.put(GatewayProtocol.MYSQL, ports.mysql());
            }
        }
        return open;
    }
}
