package io.pilothouse.core.base;

import java.util.Locale;

/** Which rules hold: the contract's own, or the live service's wider ones for configurations written for it. */
public enum Edition {
    SEED,
    CLOUD;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
