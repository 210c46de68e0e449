package io.pilothouse.server;

/** The data planes that this program can be told to use. */
enum Plane {
    LOCAL,
    SIMULATED
}
