package io.pilothouse.server.config;

/** A setting's text is invalid; the message says what it must be and never repeats the text. */
final class BadValue extends Exception {
    private static final long serialVersionUID = 1L;

    private final String requirement;

    BadValue(String requirement) {
        super(requirement, null, false, false);
        this.requirement = requirement;
    }

    /** The requirement, as the end of a sentence. */
    String requirement() {
        return requirement;
    }
}
