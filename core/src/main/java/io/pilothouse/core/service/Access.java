package io.pilothouse.core.service;

import io.pilothouse.core.base.IpAccessEntry;
import java.util.List;

/** Who can reach a service and how; an empty list lets nobody in. */
public record Access(List<IpAccessEntry> ipAccessList, List<String> privateEndpointIds, boolean mysql) {
    public Access {
        ipAccessList = List.copyOf(ipAccessList);
        privateEndpointIds = List.copyOf(privateEndpointIds);
    }
}
