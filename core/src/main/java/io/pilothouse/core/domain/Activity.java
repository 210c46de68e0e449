package io.pilothouse.core.domain;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One line of an organization's history: who changed what; written in the transaction of the change, never after. */
public record Activity(
        UUID id,
        UUID organizationId,
        Instant createdAt,
        String type,
        String actorType,
        @Nullable UUID actorId,
        @Nullable String actorDetails,
        @Nullable UUID requestId,
        @Nullable UUID serviceId,
        @Nullable UUID subjectId)
        implements Stored {
    @Override
    public UUID ownerId() {
        return organizationId;
    }

    @Override
    public long version() {
        return 1;
    }
}
