package io.pilothouse.plane.simulated;

import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A host name for each service, under {@code domain} or one that tells its place, and the usual ports. */
public record SimulatedAddresses(Optional<String> domain) implements Addresses {
    private static final String NOWHERE = "services.pilothouse.internal";

    @Override
    public String host(Service service) {
        Placement placement = service.placement();
        String place = String.join(".", placement.region(), placement.provider(), NOWHERE);
        return Addresses.nameUnder(domain.orElse(place), service.id());
    }

    @Override
    public List<Endpoint> of(Service service) {
        String host = host(service);
        List<Endpoint> endpoints = new ArrayList<>();
        endpoints.add(new Endpoint("https", host, 8443, "default"));
        endpoints.add(new Endpoint("nativesecure", host, 9440, "default"));
        if (service.access().mysql()) {
            endpoints.add(new Endpoint("mysql", host, 3306, "default"));
        }
        return List.copyOf(endpoints);
    }
}
