package io.pilothouse.core.engine;

import io.pilothouse.core.domain.Service;
import io.pilothouse.core.port.Tables;
import java.time.Instant;

/** Wakes what waits for a service to run, in the transaction in which it is first seen running. */
@FunctionalInterface
public interface Arrival {
    void arrived(Tables tables, Service service, Instant now);
}
