package io.pilothouse.http.wire;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a bug or an outage that a request met is written down, once, with its cause. */
@FunctionalInterface
public interface RequestLog {
    void failed(UUID requestId, @Nullable String operationId, Throwable cause);
}
