package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.wire.RequestObserver;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;

/**
 * What the program takes from outside and a test may want to hand in instead: time, chance, a plane, where logs go, and
 * who else hears of every request.
 */
record Surroundings(Clock clock, SecureRandom random, PlaneMaker plane, OutputStream logs, RequestObserver requests) {
    /** Makes the data plane that a configuration asks for. */
    @FunctionalInterface
    interface PlaneMaker {
        PlaneParts make(PlaneParts.Ground ground) throws StartRefused;
    }

    static Surroundings ofProcess(Map<String, String> environment) {
        return new Surroundings(
                Instant::now,
                new SecureRandom(),
                new PlaneChoice(environment, PlaneChoice.NPM),
                new FileOutputStream(FileDescriptor.err),
                request -> {});
    }
}
