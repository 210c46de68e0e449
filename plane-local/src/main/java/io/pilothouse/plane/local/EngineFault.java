package io.pilothouse.plane.local;

/** Something could not be done with an engine; the message is a sentence for a person, without secrets. */
public final class EngineFault extends Exception {
    private static final long serialVersionUID = 1L;

    EngineFault(String sentence) {
        super(sentence);
    }

    EngineFault(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
