package io.pilothouse.http.wire;

/** The client has disconnected or was given up: no answer can be sent. */
public final class ConnectionLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The status under which requests are counted when the client did not wait for the answer; never sent. */
    public static final int CLIENT_WENT_AWAY = 499;

    public static final int CLIENT_TOO_SLOW = 408;

    private final int status;

    public ConnectionLost(int status, Throwable cause) {
        super("The connection is gone", cause, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
