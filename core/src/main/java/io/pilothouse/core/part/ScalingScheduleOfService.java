package io.pilothouse.core.part;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Instant;

/** The task of a schedule ends with its service. Goes before {@link PartsOfService}, which deletes the schedule. */
public final class ScalingScheduleOfService implements ServiceFollower {
    private final ScalingSchedule kind = new ScalingSchedule();

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        if (ServicePart.find(tables, service, kind).isPresent()) {
            ScalingSchedule.wake(tables, service, now);
        }
    }
}
