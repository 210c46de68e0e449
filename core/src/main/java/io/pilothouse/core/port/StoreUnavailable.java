package io.pilothouse.core.port;

/** The store could not do its work (disk full, server gone, closing); the transaction was not committed. */
public final class StoreUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
