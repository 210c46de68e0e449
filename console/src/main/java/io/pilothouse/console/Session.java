package io.pilothouse.console;

import java.time.Instant;
import java.util.UUID;

/**
 * Somebody who has signed in with a key. {@code formToken} is in every form of theirs, and no page of another origin
 * can know it.
 */
record Session(UUID keyId, String formToken, Instant until) {
    /** Shows no secret. */
    @Override
    public String toString() {
        return "Session[" + keyId + "]";
    }
}
