package io.pilothouse.core.alert;

import java.time.Instant;

/** Holds the messages of an alert back until a moment; its state goes on, and what is due then is sent. */
public record AlertSilence(String by, Instant at, Instant until) {
    public boolean holds(Instant now) {
        return now.isBefore(until);
    }
}
