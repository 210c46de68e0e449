package io.pilothouse.core.key;

import org.jspecify.annotations.Nullable;

/** A key just created as its maker sees it; id and secret are null when their hashes were brought along. */
public record NewApiKey(
        ApiKeyView view, @Nullable String keyId, @Nullable String keySecret) {
    @Override
    public String toString() {
        return "NewApiKey[" + view.key().id() + "]";
    }
}
