package io.pilothouse.core.alert;

import java.util.Locale;

/** The state that clients see, from harmless to worst; the last two mean that nothing is known. */
public enum AlertState {
    INACTIVE,
    PENDING,
    FIRING,
    INSUFFICIENT_DATA,
    DISABLED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
