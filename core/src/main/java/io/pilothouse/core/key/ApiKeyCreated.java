package io.pilothouse.core.key;

import org.jspecify.annotations.Nullable;

/** A key just created; its id and secret exist only here, unless the caller brought their hashes. */
public record ApiKeyCreated(
        ApiKey key, @Nullable String keyId, @Nullable String keySecret) {
    @Override
    public String toString() {
        return "ApiKeyCreated[" + key.id() + "]";
    }
}
