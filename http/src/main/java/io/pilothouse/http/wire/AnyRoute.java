package io.pilothouse.http.wire;

/** One operation of a listener: a method on a path. Either it names the right it needs, or it says that it is public. */
public sealed interface AnyRoute permits Route, PublicRoute {
    String operationId();

    Verb verb();

    /** The path with its parameters in braces, such as {@code /v1/organizations/{organizationId}}. */
    String path();
}
