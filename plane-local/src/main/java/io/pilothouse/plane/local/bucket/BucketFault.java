package io.pilothouse.plane.local.bucket;

/** A bucket did not do what was asked of it; the message is a sentence for its owner and never holds a secret. */
public final class BucketFault extends Exception {
    private static final long serialVersionUID = 1L;

    public BucketFault(String message) {
        super(message);
    }

    public BucketFault(String message, Throwable cause) {
        super(message, cause);
    }
}
