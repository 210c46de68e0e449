package io.pilothouse.core.alert;

import java.time.Instant;

/** Why an alert could not be evaluated or delivered, as a sentence for a person; never quotes a receiver's answer. */
public record AlertError(Instant timestamp, Type type, String message) {
    /** The kind of failure. */
    public enum Type {
        QUERY_ERROR,
        QUERY_TIMEOUT,
        WEBHOOK_ERROR,
        INVALID_ALERT,
        UNKNOWN
    }
}
