package io.pilothouse.store;

/** The store cannot be opened as it is; the message is one sentence for the person who started the program. */
public final class StoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreRefused(String sentence) {
        super(sentence);
    }

    public StoreRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
