package io.pilothouse.plane.local;

import java.io.IOException;
import java.nio.file.Path;

/** An action on a database failed; the message is a sentence for a person, without secrets. */
public final class DatabaseFailure extends Exception {
    private static final long serialVersionUID = 1L;

    DatabaseFailure(String sentence) {
        super(sentence);
    }

    DatabaseFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /** The disk refused something in this folder. */
    static DatabaseFailure unusable(Path folder, IOException failure) {
        String message = failure.getMessage() == null ? "" : failure.getMessage();
        return message.contains("No space left")
                ? new DatabaseFailure("The disk is full.", failure)
                : new DatabaseFailure("The folder " + folder + " cannot be used.", failure);
    }
}
