package io.pilothouse.http.wire;

/** The other end is gone or was given up: nobody is left to answer. */
public final class ConnectionLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What requests are counted under whose client did not wait for the answer; never sent. */
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
