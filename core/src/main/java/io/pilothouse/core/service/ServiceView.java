package io.pilothouse.core.service;

import java.util.List;

/** A service as clients see it: the row, where it is reached, and the private endpoints it could be given. */
public record ServiceView(Service service, List<Endpoint> endpoints, List<String> availablePrivateEndpointIds) {
    public ServiceView {
        endpoints = List.copyOf(endpoints);
        availablePrivateEndpointIds = List.copyOf(availablePrivateEndpointIds);
    }
}
