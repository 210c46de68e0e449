package io.pilothouse.gateway.door;

import io.pilothouse.core.service.Service;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What signposts ask of the store, each time in a transaction of its own. Safe for many threads. */
public interface SignpostRows {
    /** Whether there are other hosts at all. */
    boolean hasOthers();

    /** A service, on whatever host. */
    Optional<Service> find(UUID id);

    /** At most {@code limit} services of all hosts in the order of their ids as text, from the one after this on. */
    List<Service> after(@Nullable UUID id, int limit);

    /** The host that the service is on, if that is another one than this. */
    Optional<Service.Host> otherHost(Service row);
}
