package io.pilothouse.core.part;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** One part of one service, kept as the fields that its kind names. */
public record ServicePart(Head head, UUID organizationId, Tree.Members fields) implements Stored {
    /** Owner: the service. */
    public static final Kind<ServicePart> KIND = new Kind<>("service_parts", ServicePart.class);

    static ServicePart of(Service service, PartKind kind, Tree.Members fields, Instant now) {
        return new ServicePart(Head.of(idOf(service, kind), service.id(), now), service.organizationId(), fields);
    }

    /** Follows from what it is a part of, so that it is there once and found without a search. */
    public static UUID idOf(Service service, PartKind kind) {
        return idOf(service.id(), kind);
    }

    public static UUID idOf(UUID serviceId, PartKind kind) {
        return UUID.nameUUIDFromBytes((serviceId + " " + kind.name()).getBytes(StandardCharsets.UTF_8));
    }

    public static Optional<ServicePart> find(Tables tables, Service service, PartKind kind) {
        return tables.of(KIND).find(idOf(service, kind));
    }

    ServicePart with(Tree.Members next) {
        return new ServicePart(head, organizationId, next);
    }

    public UUID serviceId() {
        return head.ownerId();
    }
}
