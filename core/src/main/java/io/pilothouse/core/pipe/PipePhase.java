package io.pilothouse.core.pipe;

/** What the runner last saw of a pipe; UNKNOWN when it could not look, ABSENT when nothing of it is there. */
public enum PipePhase {
    UNKNOWN,
    ABSENT,
    PROVISIONING,
    SETUP,
    SNAPSHOT,
    RUNNING,
    DEGRADED,
    STOPPING,
    STOPPED,
    COMPLETED,
    FAILED,
    INTERNAL_ERROR
}
