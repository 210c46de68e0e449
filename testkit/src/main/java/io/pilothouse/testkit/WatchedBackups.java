package io.pilothouse.testkit;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Calls back before and after each change to backups, where a process may die. */
public final class WatchedBackups implements Backups {
    private final Backups backups;
    private final Consumer<String> watcher;

    public WatchedBackups(Backups backups, Consumer<String> watcher) {
        this.backups = backups;
        this.watcher = watcher;
    }

    @Override
    public void begin(Service service, UUID backupId) throws PlaneFault {
        watcher.accept("before begin");
        backups.begin(service, backupId);
        watcher.accept("after begin");
    }

    @Override
    public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
        watcher.accept("observe backup");
        return backups.observe(serviceId, backupId);
    }

    @Override
    public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
        watcher.accept("before drop");
        backups.drop(serviceId, backupId);
        watcher.accept("after drop");
    }

    @Override
    public Optional<String> refusal(Service service) {
        watcher.accept("refusal");
        return backups.refusal(service);
    }
}
