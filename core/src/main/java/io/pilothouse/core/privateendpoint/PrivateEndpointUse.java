package io.pilothouse.core.privateendpoint;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.service.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** That a service has a private endpoint: how all services with one are found without looking at the others. */
public record PrivateEndpointUse(Head head, String endpointId, UUID serviceId) implements Stored {
    /** Reference: {@link #reference}. */
    public static final Kind<PrivateEndpointUse> KIND = new Kind<>("private_endpoint_uses", PrivateEndpointUse.class);

    public static PrivateEndpointUse of(Service service, String endpointId, Instant now) {
        return new PrivateEndpointUse(
                Head.of(idOf(service.id(), endpointId), service.organizationId(), now), endpointId, service.id());
    }

    /** Follows from what it says, so that it is there once and found without a search. */
    public static UUID idOf(UUID serviceId, String endpointId) {
        return UUID.nameUUIDFromBytes((serviceId + " " + endpointId).getBytes(StandardCharsets.UTF_8));
    }

    /** The properties that all uses of one endpoint of an organization share. */
    public static String reference(UUID organizationId, String endpointId) {
        return organizationId + " " + endpointId;
    }

    public UUID organizationId() {
        return head.ownerId();
    }
}
