package io.pilothouse.http.wire;

import java.util.Objects;

/** An operation that needs no credentials. */
public record PublicRoute(String operationId, Verb verb, String path, Handler handler) implements AnyRoute {
    public PublicRoute {
        Objects.requireNonNull(handler, "handler");
    }

    /** Answers a request about which nothing was checked. */
    @FunctionalInterface
    public interface Handler {
        Answer handle(Exchange exchange);
    }
}
