package io.pilothouse.http.wire;

import org.jspecify.annotations.Nullable;

/** The methods that routes may have; any other is answered with 405. */
public enum Verb {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    /** What browsers ask before they send a request from a page of another origin. */
    OPTIONS;

    /** The verb of a method; HEAD asks for what GET has. */
    public static @Nullable Verb of(String method) {
        return switch (method) {
            case "GET", "HEAD" -> GET;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "PATCH" -> PATCH;
            case "DELETE" -> DELETE;
            case "OPTIONS" -> OPTIONS;
            default -> null;
        };
    }
}
