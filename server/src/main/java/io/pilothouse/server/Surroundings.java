package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.DataPlane;
import io.pilothouse.http.RequestObserver;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Instant;

/**
 * What the program takes from outside and a test may want to hand in instead: time, chance, a plane, where logs go, and
 * who else hears of every request.
 */
record Surroundings(Clock clock, SecureRandom random, PlaneMaker plane, OutputStream logs, RequestObserver requests) {
    /** Makes the data plane that a configuration asks for. */
    @FunctionalInterface
    interface PlaneMaker {
        DataPlane make(Config config, Clock clock);
    }

    static Surroundings ofProcess() {
        return new Surroundings(
                Instant::now,
                new SecureRandom(),
                Surroundings::plane,
                new FileOutputStream(FileDescriptor.err),
                request -> {});
    }

    private static DataPlane plane(Config config, Clock clock) {
        SimulatedPlane.Settings usual = SimulatedPlane.Settings.USUAL;
        return switch (config.get(Options.PLANE)) {
            case SIMULATED ->
                new SimulatedPlane(
                        clock,
                        new SimulatedPlane.Settings(
                                config.get(Options.SIMULATED_PROVISIONING_TIME),
                                usual.endTime(),
                                config.get(Options.SERVICE_DOMAIN),
                                usual.dbVersion()));
        };
    }
}
