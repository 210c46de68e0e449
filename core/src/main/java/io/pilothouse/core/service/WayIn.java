package io.pilothouse.core.service;

import io.pilothouse.core.base.Refused;
import java.util.Optional;

/**
 * The way in to services, as far as requests have to do with it. Never called inside a transaction, because what it
 * does is not undone with one.
 */
public interface WayIn {
    /** The way in to services that are reached by their names alone. */
    WayIn BY_NAME = new WayIn() {
        @Override
        public Optional<ServicePorts> draw() {
            return Optional.empty();
        }

        @Override
        public void follow(Service committed) {}

        @Override
        public Optional<String> refusal() {
            return Optional.empty();
        }
    };

    /**
     * Ports for a new service that are free as far as is known, still to be reserved; empty where services need none.
     *
     * @throws Refused if none are left
     */
    Optional<ServicePorts> draw();

    /**
     * Takes a row that was just committed, so that a client that learns of it can use it at once. A failure here is
     * made up for by the engine's next look.
     */
    void follow(Service committed);

    /** Why no service can be created now; empty if one can. */
    Optional<String> refusal();
}
