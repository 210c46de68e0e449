package io.pilothouse.core.port;

/** The data plane could not do what it was asked; the message is a sentence for a person, without secrets. */
public final class PlaneFault extends Exception {
    private static final long serialVersionUID = 1L;

    public PlaneFault(String message) {
        super(message);
    }

    public PlaneFault(String message, Throwable cause) {
        super(message, cause);
    }
}
