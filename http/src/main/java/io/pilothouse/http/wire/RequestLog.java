package io.pilothouse.http.wire;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Logs a bug or an outage that a request met, once, with its cause. */
@FunctionalInterface
public interface RequestLog {
    void failed(UUID requestId, @Nullable String operationId, Throwable cause);
}
