package io.pilothouse.http.wire;

import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request. {@code operationId} is null if no operation was found, {@code permission} unless the caller
 * was found to hold it, {@code keyId} unless the caller was identified, {@code client} if the HTTP server
 * itself refused it. A client that disconnected counts as 499.
 */
public record RequestRecord(
        UUID requestId,
        @Nullable String operationId,
        @Nullable Permission permission,
        @Nullable UUID keyId,
        @Nullable Client client,
        int status,
        long durationNanos,
        long contentBytes) {}
