package io.pilothouse.plane.local;

import io.pilothouse.core.service.Service;
import java.util.Optional;
import java.util.UUID;

/** How clients at the door, or their absence, change what is wanted of a service. May be slow; safe for many threads. */
public interface SleepRequests {
    /** Wants it asleep; the row as it is then, or empty when it must not sleep after all. */
    Optional<Service> sleep(UUID id);

    /** Wants it awake if it only sleeps; the row as it is then, or empty when there is none. */
    Optional<Service> wake(UUID id);

    /** Has it looked at now: something happened to it that the engine does not know of. */
    void look(UUID id);
}
