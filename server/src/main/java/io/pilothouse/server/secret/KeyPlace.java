package io.pilothouse.server.secret;

import io.pilothouse.core.port.SealedKey;
import java.io.IOException;
import java.util.Optional;

/** Where the keys are without which a store is of no use: files of the data folder, or the store itself. */
public sealed interface KeyPlace permits KeyFiles, SealedKeys {
    /** Its bytes; may be refused with a {@link io.pilothouse.store.StoreRefused} where others can read it. */
    Optional<byte[]> find(SealedKey key) throws IOException;

    /** Keeps this one unless there is one meanwhile, and gives the one that is kept. */
    byte[] make(SealedKey key, byte[] made) throws IOException;

    /** Keeps this one instead of the one that is there; durable on return. */
    void replace(SealedKey key, byte[] content) throws IOException;

    /** How a sentence names it. */
    String shown(SealedKey key);

    /** What to do after it was replaced. */
    String afterReplacing(SealedKey key);
}
