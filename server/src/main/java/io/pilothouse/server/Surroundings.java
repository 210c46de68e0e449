package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.http.wire.RequestObserver;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The parts that the program takes from outside and a test may hand in instead: time, chance, a plane, a place for
 * logs, a listener for every request, and a decorator of the store.
 */
record Surroundings(
        Clock clock,
        SecureRandom random,
        PlaneMaker plane,
        OutputStream logs,
        RequestObserver requests,
        UnaryOperator<Store> store) {
    Surroundings(Clock clock, SecureRandom random, PlaneMaker plane, OutputStream logs, RequestObserver requests) {
        this(clock, random, plane, logs, requests, UnaryOperator.identity());
    }

    /** The same at another time. */
    Surroundings at(Clock another) {
        return new Surroundings(another, random, plane, logs, requests, store);
    }

    /** Makes the data plane that a configuration asks for. */
    @FunctionalInterface
    interface PlaneMaker {
        PlaneParts make(PlaneParts.Ground ground) throws StartRefused;
    }

    static Surroundings ofProcess(Map<String, String> environment) {
        return new Surroundings(
                SteadyClock.ofMachine(),
                new SecureRandom(),
                new PlaneChoice(environment, PlaneChoice.NPM),
                new FileOutputStream(FileDescriptor.err),
                request -> {});
    }
}
