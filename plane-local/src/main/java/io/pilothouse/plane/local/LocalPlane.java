package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;

/** The data plane of one machine: each service is one process with the memory of one replica. */
public final class LocalPlane implements DataPlane {
    private static final long BYTES_IN_A_GIGABYTE = 1L << 30;

    private final LocalEngines engines;
    private final EngineBackups backups;

    public LocalPlane(LocalEngines engines, EngineBackups backups) {
        this.engines = engines;
        this.backups = backups;
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        return attempt(() -> switch (engines.observe(service.id())) {
            case Sighting.Absent() -> new Sight(Condition.ABSENT, false, null, null);
            case Sighting.Stopped() -> new Sight(Condition.STOPPED, false, null, null);
            case Sighting.Starting() -> new Sight(Condition.STARTING, false, null, null);
            case Sighting.Stopping() -> new Sight(Condition.STOPPING, false, null, null);
            case Sighting.Broken(String reason) -> new Sight(Condition.BROKEN, false, null, reason);
            case Sighting.Running(EngineAddress address, String fingerprint) ->
                running(service, address, fingerprint.equals(settings(service).fingerprint()));
        });
    }

    /** One that is to begin with a backup runs as wanted only once that is restored. */
    private Sight running(Service service, EngineAddress address, boolean fits) throws EngineFault {
        String version = address.capabilities().version();
        BackupOrigin origin = service.fixed().origin();
        if (origin == null) {
            return new Sight(Condition.RUNNING, fits, version, null);
        }
        return switch (backups.observeRestore(service.id(), origin.backupId())) {
            case Progress.Unknown _ -> new Sight(Condition.RUNNING, false, version, null);
            case Progress.UnderWay _ -> new Sight(Condition.STARTING, false, version, null);
            case Progress.Finished _ -> new Sight(Condition.RUNNING, fits, version, null);
            case Progress.Failed(String reason) ->
                new Sight(Condition.BROKEN, false, version, "The backup cannot be restored: " + reason);
        };
    }

    @Override
    public void start(Service service) throws PlaneFault {
        attempt(() -> {
            LocalEngines.Started started = engines.start(service.id(), settings(service));
            BackupOrigin origin = service.fixed().origin();
            // One that was only just launched is asked to restore by the next look at it.
            if (origin != null && engines.observe(service.id()) instanceof Sighting.Running) {
                backups.restore(service.id(), origin.serviceId(), origin.backupId());
            }
            return started;
        });
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        attempt(() -> {
            engines.stop(service.id());
            return service;
        });
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        attempt(() -> {
            engines.erase(service.id());
            return service;
        });
    }

    @Override
    public String name() {
        return "local";
    }

    static EngineSettings settings(Service service) {
        return new EngineSettings(service.password(), service.scaling().maxReplicaMemoryGb() * BYTES_IN_A_GIGABYTE);
    }

    private interface Work<T> {
        T run() throws EngineFault, InterruptedException;
    }

    private static <T> T attempt(Work<T> work) throws PlaneFault {
        try {
            return work.run();
        } catch (EngineFault fault) {
            throw new PlaneFault(String.valueOf(fault.getMessage()), fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("The work on it was cut short.", interrupted);
        }
    }
}
