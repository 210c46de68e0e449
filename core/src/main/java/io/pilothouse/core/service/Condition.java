package io.pilothouse.core.service;

/** The state in which the data plane last saw a service; a failed look is a value of its own. */
public enum Condition {
    UNKNOWN,
    ABSENT,
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    BROKEN
}
