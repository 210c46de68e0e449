package io.pilothouse.http.wire;

import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request. {@code operationId} is null if no operation was found, {@code permission} unless the caller
 * was found to hold it, {@code keyId} unless the caller was identified,
 * {@code visitorKeyId} unless a page was for somebody who signed in with that key, {@code client} if the HTTP server
 * itself refused it, {@code fault} unless one was injected. A client that disconnected counts as 499.
 */
public record RequestRecord(
        UUID requestId,
        @Nullable String operationId,
        @Nullable Permission permission,
        @Nullable UUID keyId,
        @Nullable UUID visitorKeyId,
        @Nullable Client client,
        int status,
        long durationNanos,
        long contentBytes,
        @Nullable String fault) {
    /** A request that was for no page, and met no injected fault. */
    public RequestRecord(
            UUID requestId,
            @Nullable String operationId,
            @Nullable Permission permission,
            @Nullable UUID keyId,
            @Nullable Client client,
            int status,
            long durationNanos,
            long contentBytes) {
        this(requestId, operationId, permission, keyId, null, client, status, durationNanos, contentBytes, null);
    }

    /** The key that it was for, however that was found; null for a request of nobody. */
    public @Nullable UUID heldKeyId() {
        return keyId == null ? visitorKeyId : keyId;
    }
}
