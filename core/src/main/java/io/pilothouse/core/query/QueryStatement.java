package io.pilothouse.core.query;

import java.io.InputStream;
import java.util.Optional;

/** SQL as a caller sent it: read while it is passed on, because data to insert may follow it. */
public record QueryStatement(InputStream sql, Optional<String> database, Optional<String> format) {}
