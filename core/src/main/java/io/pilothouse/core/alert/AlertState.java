package io.pilothouse.core.alert;

import java.util.Locale;

/** The state word that clients see, from harmless to worst but for the last two, which say that nothing can be said. */
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
