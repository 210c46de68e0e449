package io.pilothouse.plane.local;

/** An action on a database failed; the message is a sentence for a person, without secrets. */
public final class DatabaseFailure extends Exception {
    private static final long serialVersionUID = 1L;

    DatabaseFailure(String sentence) {
        super(sentence);
    }

    DatabaseFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
