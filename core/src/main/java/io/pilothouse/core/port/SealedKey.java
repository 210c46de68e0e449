package io.pilothouse.core.port;

/** A key without which a store is of no use, where the store keeps it itself: as a text that another key has sealed. */
public enum SealedKey {
    /** What hashes of keys and tokens are made with. */
    SECRET,
    /** What credentials are sealed under. */
    VAULT,
    /** The local certificate authority. */
    AUTHORITY
}
