package io.pilothouse.core.service;

/** What the data plane last saw of a service; not having been able to look is a value of its own. */
public enum Condition {
    UNKNOWN,
    ABSENT,
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    BROKEN
}
