package io.pilothouse.gateway.door;

import io.pilothouse.core.service.Service;
import java.util.Optional;
import java.util.UUID;

/** Changes the wish of a service when clients come or stay away. May be slow; safe for many threads. */
public interface SleepRequests {
    /** Wants it asleep; returns the row after that, or empty when it must not sleep after all. */
    Optional<Service> sleep(UUID id);

    /** Wants it awake if it sleeps; returns the row after that, or empty when there is none. */
    Optional<Service> wake(UUID id);

    /** Asks the engine to look at it now, because something happened that it does not know of. */
    void look(UUID id);
}
