package io.pilothouse.core.domain;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** A service as clients see it: the row, where it is reached, and the private endpoints it could be given. */
public record ServiceView(Service service, List<Endpoint> endpoints, List<String> availablePrivateEndpointIds) {
    private static final int TAG_BYTES = 16;

    public ServiceView {
        endpoints = List.copyOf(endpoints);
        availablePrivateEndpointIds = List.copyOf(availablePrivateEndpointIds);
    }

    /**
     * Changes whenever a client would see a difference, and only then: what the engine notes for itself would otherwise
     * lose a race for a client whose knowledge is current. A part that becomes visible belongs in here.
     */
    public String entityTag() {
        Service shown = service;
        List<Object> parts = Arrays.asList(
                shown.id(),
                shown.name(),
                shown.placement(),
                shown.state(),
                shown.seen().trouble(),
                shown.seen().dbVersion(),
                shown.scaling(),
                shown.warehouse(),
                shown.access(),
                shown.encryption(),
                shown.releaseChannel(),
                shown.tags(),
                shown.enableCoreDumps(),
                endpoints,
                availablePrivateEndpointIds);
        byte[] digest = SecretHash.sha256(parts.toString());
        return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    }
}
