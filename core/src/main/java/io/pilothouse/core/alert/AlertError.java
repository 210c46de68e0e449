package io.pilothouse.core.alert;

import java.time.Instant;

/** Why an alert could not be evaluated or delivered, for a person; never what a receiver answered. */
public record AlertError(Instant timestamp, Type type, String message) {
    /** What kind of thing went wrong. */
    public enum Type {
        QUERY_ERROR,
        QUERY_TIMEOUT,
        WEBHOOK_ERROR,
        INVALID_ALERT,
        UNKNOWN
    }
}
