package io.pilothouse.core.service;

import io.pilothouse.core.secret.SecretHash;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A service as clients see it: the row, where it is reached, and the private endpoints it could be given. */
public record ServiceView(Service service, List<Endpoint> endpoints, List<String> availablePrivateEndpointIds) {
    private static final int TAG_BYTES = 16;
    private static final int USUAL_LENGTH = 2048;

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
        StringBuilder text = new StringBuilder(USUAL_LENGTH);
        add(text, shown.id());
        add(text, shown.name());
        add(text, shown.placement());
        add(text, shown.state());
        add(text, shown.seen().trouble());
        add(text, shown.seen().dbVersion());
        add(text, shown.scaling());
        add(text, shown.warehouse());
        add(text, shown.access());
        add(text, shown.encryption());
        add(text, shown.releaseChannel());
        add(text, shown.tags());
        add(text, shown.enableCoreDumps());
        add(text, endpoints);
        add(text, availablePrivateEndpointIds);
        byte[] digest = SecretHash.sha256(text.toString());
        return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    }

    private static void add(StringBuilder text, @Nullable Object part) {
        text.append(part).append('\n');
    }
}
