package io.pilothouse.plane.simulated;

import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.List;

/** A host name for each service, which ends in {@code domain}, and the usual ports. */
public record SimulatedAddresses(String domain) implements Addresses {
    /** All that is random at the end of an id, so that two hosts differ as surely as two ids. */
    private static final int HOST_DIGITS = 16;

    @Override
    public String host(Service service) {
        Placement placement = service.placement();
        String name = RowIds.lastDigits(service.id(), HOST_DIGITS);
        return String.join(".", name, placement.region(), placement.provider(), domain);
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
