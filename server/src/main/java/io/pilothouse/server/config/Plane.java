package io.pilothouse.server.config;

/** The data planes that this program can use. */
public enum Plane {
    LOCAL,
    SIMULATED
}
