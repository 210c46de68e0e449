package io.pilothouse.core.port;

/** What was drawn before a transaction has become another's by the time it ran: whoever drew it draws again. */
public final class TakenMeanwhile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TakenMeanwhile(String message) {
        super(message);
    }
}
