package io.pilothouse.core.port;

/** A value drawn before a transaction was taken by another before it ran: the caller draws again. */
public final class TakenMeanwhile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TakenMeanwhile(String message) {
        super(message);
    }
}
