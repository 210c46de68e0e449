package io.pilothouse.core.service;

import io.pilothouse.core.engine.TimeLimit;
import java.time.Duration;

/** How long each wish may take before clients see that something is wrong; every wish has such a deadline. */
public record Patience(Duration provision, Duration start, Duration stop, Duration erase) {
    public static final Patience USUAL =
            new Patience(Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(15));

    Duration with(Service service) {
        return switch (service.wishNow()) {
            case RUN -> service.seen().everRan() ? start : provision;
            case STOP, SLEEP -> stop;
            case DELETE -> erase;
        };
    }

    /** The sentence for a person once the deadline has passed. */
    String sentence(Service service) {
        String what = switch (service.wishNow()) {
            case RUN -> "It did not start";
            case STOP -> "It did not stop";
            case SLEEP -> "It did not go to sleep";
            case DELETE -> "It was not removed";
        };
        return what + " within " + TimeLimit.words(with(service));
    }
}
