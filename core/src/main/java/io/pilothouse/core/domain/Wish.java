package io.pilothouse.core.domain;

/** What somebody wants of a service; the engine makes it so, and DELETE is never taken back. */
public enum Wish {
    RUN,
    SLEEP,
    STOP,
    DELETE
}
