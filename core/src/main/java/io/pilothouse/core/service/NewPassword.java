package io.pilothouse.core.service;

import org.jspecify.annotations.Nullable;

/** The answer to a change of password: the password itself where the server made it, and nothing where it did not. */
public record NewPassword(@Nullable String password) {
    @Override
    public String toString() {
        return "NewPassword[]";
    }
}
