package io.pilothouse.core.service;

import java.util.EnumSet;
import java.util.Locale;

/** The state word that clients see: a pure function of what is wanted and what was seen, never stored by hand. */
public enum ServiceState {
    PROVISIONING,
    STARTING,
    AWAKING,
    RUNNING,
    STOPPING,
    STOPPED,
    IDLE,
    DEGRADED,
    FAILED,
    TERMINATING;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** One that starts is not to be refused: it may only take over a change that was asked for a moment before. */
    boolean runsOrStarts() {
        return EnumSet.of(RUNNING, DEGRADED, STARTING, AWAKING).contains(this);
    }

    public static ServiceState of(Wish wish, boolean awaking, Seen seen) {
        boolean asleep = seen.condition() == Condition.STOPPED || seen.condition() == Condition.ABSENT;
        if (seen.condition() == Condition.LOST && wish != Wish.DELETE) {
            return FAILED;
        }
        return switch (wish) {
            case DELETE -> TERMINATING;
            case STOP -> asleep ? STOPPED : seen.trouble() == null ? STOPPING : troubled(seen);
            case SLEEP -> asleep ? IDLE : seen.trouble() == null ? STOPPING : troubled(seen);
            case RUN -> {
                if (seen.trouble() != null) {
                    yield troubled(seen);
                }
                if (seen.condition() == Condition.RUNNING) {
                    yield RUNNING;
                }
                if (!seen.everRan()) {
                    yield PROVISIONING;
                }
                yield awaking ? AWAKING : STARTING;
            }
        };
    }

    /** Of one that moves to another host: what is to run is not there for a while, and the others are as they were. */
    static ServiceState ofMoving(Wish wish) {
        return switch (wish) {
            case RUN -> DEGRADED;
            case STOP -> STOPPED;
            case SLEEP -> IDLE;
            case DELETE -> TERMINATING;
        };
    }

    private static ServiceState troubled(Seen seen) {
        return seen.everRan() ? DEGRADED : FAILED;
    }
}
