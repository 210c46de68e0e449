package io.pilothouse.server;

/**
 * The program will not start as asked; the message is one sentence, or one for each mistake, for the person who started
 * it.
 */
final class StartRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    StartRefused(String sentence) {
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    StartRefused(String sentence, Throwable cause) {
        super(sentence, cause);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
