package io.pilothouse.testkit;

/** The process died here. An error and not an exception, so that nothing on the way can mistake it for a failure. */
public final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    public Killed(String where) {
        super(where, null, false, false);
    }
}
