package io.pilothouse.core.service;

/** What somebody wants of a service; the engine makes it so, and DELETE is never taken back. */
public enum Wish {
    RUN,
    SLEEP,
    STOP,
    DELETE
}
