package io.pilothouse.server.host;

import io.pilothouse.core.host.Leaving;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.door.Doors;
import io.pilothouse.gateway.door.Signposts;
import io.pilothouse.plane.local.LocalBackups;
import io.pilothouse.plane.local.LocalPlane;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Services that leave this machine: their databases, their backups and their doors. */
public record HostLeaving(LocalPlane plane, LocalBackups backups, Doors doors, Signposts signposts) implements Leaving {
    @Override
    public Optional<String> refusal(Service service) {
        return backups.refusal(service);
    }

    @Override
    public void follow(Service service) {
        doors.follow(service);
    }

    @Override
    public void mark(UUID serviceId, UUID backupId) throws PlaneFault {
        plane.leave(serviceId, backupId);
    }

    @Override
    public Map<UUID, UUID> marked() throws PlaneFault {
        return plane.left();
    }

    @Override
    public void unmark(UUID serviceId) throws PlaneFault {
        plane.remain(serviceId);
    }

    @Override
    public void shut(UUID serviceId) {
        doors.shut(serviceId);
        signposts.look(serviceId);
    }

    @Override
    public void erase(UUID serviceId) throws PlaneFault {
        doors.shut(serviceId);
        plane.erase(serviceId);
    }
}
