package io.pilothouse.junit;

/** A test cannot have the server, the organization or the database that it asks for; the message says why. */
public final class PilothouseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PilothouseException(String message) {
        super(message);
    }

    PilothouseException(String message, Throwable cause) {
        super(message, cause);
    }
}
