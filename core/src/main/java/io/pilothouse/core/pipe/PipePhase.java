package io.pilothouse.core.pipe;

/**
 * The phase in which the runner last saw a pipe; UNKNOWN when it could not look, ABSENT when nothing of it is there.
 */
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
