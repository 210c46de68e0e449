package io.pilothouse.core.service;

/** The wanted state of a service; the engine makes it so, and DELETE is never taken back. */
public enum Wish {
    RUN,
    SLEEP,
    STOP,
    DELETE
}
