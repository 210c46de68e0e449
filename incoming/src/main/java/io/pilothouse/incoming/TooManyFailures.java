package io.pilothouse.incoming;

/** The client failed to log in too often, and is not looked up before its time. */
public final class TooManyFailures extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long seconds;

    TooManyFailures(long seconds) {
        super("Too many failed logins: try again in " + seconds + " seconds", null, false, false);
        this.seconds = seconds;
    }

    public long seconds() {
        return seconds;
    }
}
