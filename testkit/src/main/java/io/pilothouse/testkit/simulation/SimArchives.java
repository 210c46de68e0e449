package io.pilothouse.testkit.simulation;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The backups that are really there; each takes a time to make. */
final class SimArchives {
    private final SimWorld world;
    private final SimFence fence;
    private final Duration copying;
    private final Map<UUID, Instant> readyAt = new LinkedHashMap<>();

    SimArchives(SimWorld world, SimFence fence) {
        this.world = world;
        this.fence = fence;
        this.copying = world.upTo(Duration.ofSeconds(30));
    }

    Set<UUID> there() {
        return Set.copyOf(readyAt.keySet());
    }

    /** As a process reaches them. */
    Backups through(SimPort port, SimFaults faults) {
        return new Backups() {
            @Override
            public void begin(Service service, UUID backupId) throws PlaneFault {
                port.call(
                        "begin of " + backupId,
                        () -> change(faults, () -> {
                            fence.letBegin(Backup.KIND, backupId);
                            readyAt.putIfAbsent(backupId, world.now().plus(copying));
                        }),
                        PlaneFault::new);
            }

            @Override
            public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
                return port.call("look at " + backupId, () -> look(backupId), PlaneFault::new);
            }

            @Override
            public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
                port.call("drop of " + backupId, () -> change(faults, () -> readyAt.remove(backupId)), PlaneFault::new);
            }
        };
    }

    /** What a call does. */
    @FunctionalInterface
    private interface Deed {
        void happen() throws PlaneFault;
    }

    private static boolean change(SimFaults faults, Deed change) throws PlaneFault {
        if (faults.planeAway()) {
            throw new PlaneFault("The data plane is away");
        }
        change.happen();
        return true;
    }

    private Backups.Progress look(UUID backupId) {
        Instant ready = readyAt.get(backupId);
        if (ready == null) {
            return new Backups.Progress.Unknown();
        }
        return world.now().isBefore(ready)
                ? new Backups.Progress.UnderWay()
                : new Backups.Progress.Finished(Archive.of(7));
    }
}
