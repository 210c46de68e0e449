package io.pilothouse.core.secret;

/** A sealed text or a key file is not valid; the message says which, and never quotes the content. */
public final class VaultFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public VaultFault(String message) {
        super(message);
    }

    public VaultFault(String message, Throwable cause) {
        super(message, cause);
    }
}
