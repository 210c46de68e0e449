package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.setting.ServiceSettings;
import java.nio.file.Files;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The data plane of one machine: each service is one process with the memory of one replica. */
public final class LocalPlane implements DataPlane {
    private static final Duration MAX_ANSWER = Duration.ofSeconds(2);

    private final LocalDatabases databases;
    private final DatabaseBackups backups;
    private final LocalSettings settings;

    public LocalPlane(LocalDatabases databases, DatabaseBackups backups, LocalSettings settings) {
        this.databases = databases;
        this.backups = backups;
        this.settings = settings;
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        return attempt(() -> switch (databases.observe(service.id())) {
            case DatabaseSeen.Absent() -> ended(service, Condition.ABSENT, null);
            case DatabaseSeen.Stopped() -> ended(service, Condition.STOPPED, null);
            case DatabaseSeen.Waiting(String reason) -> new Sight(Condition.STARTING, false, null, reason);
            case DatabaseSeen.Starting() -> new Sight(Condition.STARTING, false, null, null);
            case DatabaseSeen.Stopping() -> new Sight(Condition.STOPPING, false, null, null);
            case DatabaseSeen.Broken(String reason) -> ended(service, Condition.BROKEN, reason);
            case DatabaseSeen.Running(DatabaseAddress address, String fingerprint) -> {
                settings.learn(service.id(), address.capabilities().version());
                yield running(service, address, fingerprint.equals(databases.fingerprint(settings(service))));
            }
        });
    }

    /** One that ran and has no data any more is lost; what is being deleted loses its folder on the way. */
    private Sight ended(Service service, Condition condition, @Nullable String reason) {
        boolean lost = service.seen().everRan()
                && service.wish() != Wish.DELETE
                && !Files.isDirectory(databases.folder(service.id()).data());
        return lost ? new Sight(Condition.LOST, false, null, null) : new Sight(condition, false, null, reason);
    }

    /** One that is to begin with a backup runs as wanted only once that is restored. */
    private Sight running(Service service, DatabaseAddress address, boolean fits) throws DatabaseFailure {
        Database database = new Database(
                address.capabilities().version(), address.capabilities().protocols());
        BackupOrigin origin = service.fixed().origin();
        if (origin == null) {
            return new Sight(Condition.RUNNING, fits, database, null, storedBytes(service));
        }
        return switch (backups.observeRestore(service.id(), origin.backupId())) {
            case Progress.Unknown _ -> new Sight(Condition.RUNNING, false, database, null);
            case Progress.UnderWay _ -> new Sight(Condition.STARTING, false, database, null);
            case Progress.Finished _ -> new Sight(Condition.RUNNING, fits, database, null, storedBytes(service));
            case Progress.Failed(String reason) ->
                new Sight(Condition.BROKEN, false, database, "The backup cannot be restored: " + reason);
        };
    }

    /** Null when it does not say, which is no reason to call it broken. */
    private @Nullable Long storedBytes(Service service) throws DatabaseFailure {
        DatabaseClient.Answer answer = databases.ask(
                service.id(), "SELECT toString(sum(bytes_on_disk)) FROM system.parts WHERE active", MAX_ANSWER);
        return answer instanceof DatabaseClient.Answer.Text(String text) && text.matches("[0-9]{1,18}")
                ? Long.valueOf(text)
                : null;
    }

    @Override
    public void start(Service service) throws PlaneFault {
        attempt(() -> {
            LocalDatabases.Started started = databases.start(service.id(), settings(service));
            BackupOrigin origin = service.fixed().origin();
            // One that was only just launched is asked to restore by the next look at it.
            if (origin != null && databases.observe(service.id()) instanceof DatabaseSeen.Running) {
                backups.restore(service.id(), origin.serviceId(), origin.backupId());
            }
            return started;
        });
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        attempt(() -> {
            databases.stop(service.id());
            return service;
        });
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        attempt(() -> {
            backups.forget(service.id());
            databases.erase(service.id());
            return service;
        });
    }

    @Override
    public Database database() {
        return new Database(databases.dbVersion().orElse(null), databases.protocols());
    }

    @Override
    public String name() {
        return "local";
    }

    static DatabaseSettings settings(Service service) {
        return new DatabaseSettings(
                service.password(),
                ServiceSettings.memoryBytes(service),
                service.want().settings());
    }

    private interface Work<T> {
        T run() throws DatabaseFailure, InterruptedException;
    }

    private static <T> T attempt(Work<T> work) throws PlaneFault {
        try {
            return work.run();
        } catch (DatabaseFailure fault) {
            throw new PlaneFault(String.valueOf(fault.getMessage()), fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("The work on it was cut short.", interrupted);
        }
    }
}
