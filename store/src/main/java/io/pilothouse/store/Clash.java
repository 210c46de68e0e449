package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;

/** The transaction met another one and lost; nothing of it was kept, and running it again may work. */
final class Clash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Clash(Throwable cause) {
        super("The transaction clashed with another one", cause);
    }

    /** What a client hears once trying again is given up. */
    StoreUnavailable everyTime() {
        return new StoreUnavailable("The store is too busy: a transaction clashed every time", this);
    }
}
