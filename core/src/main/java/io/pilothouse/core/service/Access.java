package io.pilothouse.core.service;

import io.pilothouse.core.base.IpAccessEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who can reach a service, how and at which ports; an empty list lets no client in. Without ports where its plane needs
 * none.
 */
public record Access(
        List<IpAccessEntry> ipAccessList,
        List<String> privateEndpointIds,
        boolean mysql,
        @Nullable ServicePorts ports) {
    public Access {
        ipAccessList = List.copyOf(ipAccessList);
        privateEndpointIds = List.copyOf(privateEndpointIds);
    }

    public Access(List<IpAccessEntry> ipAccessList, List<String> privateEndpointIds, boolean mysql) {
        this(ipAccessList, privateEndpointIds, mysql, null);
    }

    public Access withPorts(@Nullable ServicePorts next) {
        return new Access(ipAccessList, privateEndpointIds, mysql, next);
    }
}
