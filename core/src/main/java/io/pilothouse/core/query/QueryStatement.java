package io.pilothouse.core.query;

import java.io.InputStream;
import java.util.Optional;

/**
 * SQL as a caller sent it: read while it is passed on, because data to insert may follow it. {@code rows} are those that
 * are wanted of its result, or empty for all.
 */
public record QueryStatement(InputStream sql, Optional<String> database, Optional<String> format, Optional<Rows> rows) {
    public QueryStatement(InputStream sql, Optional<String> database, Optional<String> format) {
        this(sql, database, format, Optional.empty());
    }

    /** A part of a result, beside what the statement itself says with LIMIT and OFFSET. */
    public record Rows(long offset, long limit) {}
}
