package io.pilothouse.server.verify;

/** Why backups were not verified, or did not all pass, as a sentence for the person who asked. */
public final class VerifyRefused extends Exception {
    private static final long serialVersionUID = 1L;

    VerifyRefused(String sentence) {
        super(sentence);
    }

    VerifyRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
