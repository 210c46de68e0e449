package io.pilothouse.server.client;

/** Why a command did not do what was asked, as a sentence for the person who asked. */
public class CommandRefused extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandRefused(String sentence) {
        super(sentence, null, false, false);
    }

    public CommandRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    public final String sentence() {
        return String.valueOf(getMessage());
    }
}
