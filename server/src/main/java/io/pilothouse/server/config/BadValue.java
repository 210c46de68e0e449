package io.pilothouse.server.config;

import org.jspecify.annotations.Nullable;

/** A setting's text is invalid; the message says what it must be and never repeats the text. */
final class BadValue extends Exception {
    private static final long serialVersionUID = 1L;

    private final String requirement;

    BadValue(String requirement) {
        this(requirement, null);
    }

    BadValue(String requirement, @Nullable Throwable cause) {
        super(requirement, cause, false, false);
        this.requirement = requirement;
    }

    /** The requirement, as the end of a sentence. */
    String requirement() {
        return requirement;
    }
}
