package io.pilothouse.gateway;

/** A client cannot be served now; the message is a sentence for that client. */
final class GatewayUnreachable extends Exception {
    private static final long serialVersionUID = 1L;

    private final Cause reason;

    /** Why, in the terms that the protocols distinguish. */
    enum Cause {
        UNSUPPORTED,
        UNAVAILABLE,
        ELSEWHERE,
        TOO_MANY_CONNECTIONS,
        TOO_MANY_FAILURES
    }

    GatewayUnreachable(Cause reason, String sentence) {
        super(sentence, null, false, false);
        this.reason = reason;
    }

    static GatewayUnreachable tooManyFailures(long seconds) {
        return new GatewayUnreachable(
                Cause.TOO_MANY_FAILURES, "Too many failed logins: try again in " + seconds + " seconds.");
    }

    Cause reason() {
        return reason;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
