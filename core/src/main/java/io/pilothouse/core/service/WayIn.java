package io.pilothouse.core.service;

import io.pilothouse.core.base.Refused;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** The way in to a new service: its ports, where it needs some, and its host, where several have services. */
    record Opening(@Nullable ServicePorts ports, Service.@Nullable Host host) {
        Service to(Service service) {
            Service there = service.withHost(host);
            return Optional.ofNullable(ports)
                    .map(own -> there.withAccess(there.access().withPorts(own)))
                    .orElse(there);
        }
    }

    /**
     * What a new service can have, as far as is known; {@code origin} is whose backup it begins with.
     *
     * @throws Refused if there is no room for one
     */
    default Opening open(@Nullable BackupOrigin origin) {
        return new Opening(draw().orElse(null), null);
    }

    /**
     * Takes a row that was just committed, so that a client that learns of it can use it at once. A failure here is
     * made up for by the engine's next look.
     */
    void follow(Service committed);

    /** Whether this process has the service's database, where several have some. */
    default boolean serves(Service service) {
        return true;
    }

    /** Why no service can be created now; empty if one can. */
    Optional<String> refusal();
}
