package io.pilothouse.core.service;

/**
 * The state in which the data plane last saw a service; a failed look is a value of its own, and so is LOST: it ran
 * here, and its data is not there.
 */
public enum Condition {
    UNKNOWN,
    ABSENT,
    LOST,
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    BROKEN
}
