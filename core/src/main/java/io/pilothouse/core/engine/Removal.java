package io.pilothouse.core.engine;

import io.pilothouse.core.domain.Service;
import io.pilothouse.core.port.Tables;
import java.time.Instant;

/** Takes a service's row out of the store with everything that hangs under it, in the transaction it is handed. */
@FunctionalInterface
public interface Removal {
    void remove(Tables tables, Service service, Instant now);
}
