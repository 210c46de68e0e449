package io.pilothouse.core.part;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Instant;

/** The parts of a service are deleted with it, whatever their kind. */
public final class PartsOfService implements ServiceFollower {
    private static final int MAX_KINDS = 1_000;

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        for (ServicePart part : tables.of(ServicePart.KIND).page(service.id(), null, MAX_KINDS)) {
            tables.of(ServicePart.KIND).delete(part.id(), part.version());
        }
    }
}
