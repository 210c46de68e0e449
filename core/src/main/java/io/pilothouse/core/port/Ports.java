package io.pilothouse.core.port;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Which port is whose: the store lets no port have two owners. */
public interface Ports {
    /**
     * Makes them this service's own.
     *
     * @throws TakenMeanwhile if one of them is another's
     */
    void reserve(UUID serviceId, List<Integer> ports);

    /** Gives them back; those that are not this service's stay as they are. */
    void release(UUID serviceId, List<Integer> ports, Instant now);

    Known known();

    /** Every port that was ever reserved: {@code free} those that were given back since, longest ago first. */
    record Known(Set<Integer> reserved, List<Integer> free) {
        public Known {
            reserved = Set.copyOf(reserved);
            free = List.copyOf(free);
        }
    }
}
