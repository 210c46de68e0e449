package io.pilothouse.core.pipe;

/** The state word of a pipe that clients see: a pure function of what is wanted and what was seen. */
public enum PipeState {
    UNKNOWN("Unknown"),
    PROVISIONING("Provisioning"),
    SETUP("Setup"),
    SNAPSHOT("Snapshot"),
    RUNNING("Running"),
    DEGRADED("Degraded"),
    PAUSING("Pausing"),
    PAUSED("Paused"),
    STOPPING("Stopping"),
    STOPPED("Stopped"),
    MODIFYING("Modifying"),
    RESYNC("Resync"),
    COMPLETED("Completed"),
    FAILED("Failed"),
    INTERNAL_ERROR("InternalError");

    private final String word;

    PipeState(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public static PipeState of(Pipe pipe) {
        return switch (pipe.want().wish()) {
            case RUN -> wantedRunning(pipe);
            case STOP, DELETE -> wantedStopped(pipe);
        };
    }

    private static PipeState wantedStopped(Pipe pipe) {
        return switch (pipe.seen().phase()) {
            case ABSENT, STOPPED -> pipe.database() ? PAUSED : STOPPED;
            case COMPLETED -> COMPLETED;
            case UNKNOWN, PROVISIONING, SETUP, SNAPSHOT, RUNNING, DEGRADED, STOPPING, FAILED, INTERNAL_ERROR ->
                pipe.database() ? PAUSING : STOPPING;
        };
    }

    private static PipeState wantedRunning(Pipe pipe) {
        PipeSeen seen = pipe.seen();
        boolean resyncs = seen.resyncs() < pipe.want().resyncs();
        return switch (seen.phase()) {
            case UNKNOWN -> UNKNOWN;
            case ABSENT, STOPPED, STOPPING, PROVISIONING -> resyncs ? RESYNC : PROVISIONING;
            case SETUP -> SETUP;
            case SNAPSHOT -> SNAPSHOT;
            case RUNNING -> {
                if (resyncs) {
                    yield RESYNC;
                }
                yield seen.generation() < pipe.want().generation() ? MODIFYING : RUNNING;
            }
            case DEGRADED -> DEGRADED;
            case COMPLETED -> resyncs ? RESYNC : COMPLETED;
            case FAILED -> FAILED;
            case INTERNAL_ERROR -> INTERNAL_ERROR;
        };
    }
}
