package io.pilothouse.core.base;

import org.jspecify.annotations.Nullable;

/** A label on a service; a list filter names the key, and the value where it matters. */
public record Tag(String key, @Nullable String value) {}
