package io.pilothouse.server.config;

/** The data planes that this program can be told to use. */
public enum Plane {
    LOCAL,
    SIMULATED
}
