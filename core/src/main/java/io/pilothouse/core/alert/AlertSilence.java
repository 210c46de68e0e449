package io.pilothouse.core.alert;

import java.time.Instant;

/**
 * Holds back the messages of an alert until a moment; its state still changes, and messages that are due then are sent.
 */
public record AlertSilence(String by, Instant at, Instant until) {
    public boolean holds(Instant now) {
        return now.isBefore(until);
    }
}
