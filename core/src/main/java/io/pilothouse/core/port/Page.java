package io.pilothouse.core.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a collection, and where the next one begins; null at the end. */
public record Page<T>(List<T> items, Table.@Nullable Cursor next) {}
