package io.pilothouse.http.wire;

import io.pilothouse.core.right.Permission;
import java.util.Objects;

/** An operation for callers who hold a right; without that right it cannot be constructed. */
public record Route(String operationId, Verb verb, String path, Permission permission, Handler handler)
        implements AnyRoute {
    public Route {
        Objects.requireNonNull(permission, "permission");
        Objects.requireNonNull(handler, "handler");
    }

    /** Answers a request whose caller was identified and holds the route's right. */
    @FunctionalInterface
    public interface Handler {
        Answer handle(Request request);
    }
}
