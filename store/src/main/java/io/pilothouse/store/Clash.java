package io.pilothouse.store;

/** The transaction met another one and lost; nothing of it was kept, and running it again may work. */
final class Clash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Clash(Throwable cause) {
        super("The transaction clashed with another one", cause);
    }
}
