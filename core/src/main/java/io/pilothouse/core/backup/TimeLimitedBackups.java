package io.pilothouse.core.backup;

import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.TimeLimitedPlane;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;

/** Puts an end to waiting for backups, as {@link TimeLimitedPlane} does for a plane. */
public final class TimeLimitedBackups implements Backups {
    private final Backups backups;
    private final TimeLimit limit;
    private final Duration lookLimit;
    private final Duration actLimit;

    public TimeLimitedBackups(Backups backups, ExecutorService executor, Duration lookLimit, Duration actLimit) {
        this.backups = backups;
        this.limit = new TimeLimit(executor);
        this.lookLimit = lookLimit;
        this.actLimit = actLimit;
    }

    @Override
    public void begin(Service service, UUID backupId) throws PlaneFault {
        limit.within(actLimit, service.id(), () -> {
            backups.begin(service, backupId);
            return true;
        });
    }

    @Override
    public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
        return limit.within(lookLimit, serviceId, () -> backups.observe(serviceId, backupId));
    }

    @Override
    public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
        limit.within(actLimit, serviceId, () -> {
            backups.drop(serviceId, backupId);
            return true;
        });
    }

    @Override
    public Optional<String> refusal(Service service) {
        return backups.refusal(service);
    }
}
