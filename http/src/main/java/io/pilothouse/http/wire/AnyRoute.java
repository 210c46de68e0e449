package io.pilothouse.http.wire;

/** One operation of a listener: a method on a path. It either names the permission it needs, or is public. */
public sealed interface AnyRoute permits Route, PublicRoute {
    String operationId();

    Verb verb();

    /** The path with its parameters in braces, such as {@code /v1/organizations/{organizationId}}. */
    String path();
}
