package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.setting.ServiceSettings;
import io.pilothouse.plane.local.share.DiskShares;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The data plane of one machine: each service is one process with the memory of one replica. */
public final class LocalPlane implements DataPlane {
    private static final Duration MAX_ANSWER = Duration.ofSeconds(2);
    private static final Duration BETWEEN_MEASURES = Duration.ofSeconds(10);
    private static final String OF_TABLES = "SELECT toString(sum(bytes_on_disk)) FROM system.parts WHERE active";

    /** Parts that SQL has detached are on the disk too; an old server does not say how large they are. */
    private static final String OF_ALL_PARTS = "SELECT toString(sum(bytes)) FROM ("
            + "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active"
            + " UNION ALL SELECT sum(bytes_on_disk) AS bytes FROM system.detached_parts) SETTINGS log_queries = 0";

    private final LocalDatabases databases;
    private final DatabaseBackups backups;
    private final LocalSettings settings;
    private final DiskShares shares;

    public LocalPlane(LocalDatabases databases, DatabaseBackups backups, LocalSettings settings, DiskShares shares) {
        this.databases = databases;
        this.backups = backups;
        this.settings = settings;
        this.shares = shares;
    }

    /** Measures the data of those that run again and again, until the shares are closed. */
    public void watchDisk(Executor threads) {
        shares.start(
                threads,
                BETWEEN_MEASURES,
                id -> databases.address(id).isPresent() ? storedBytes(id) : OptionalLong.empty());
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
                yield running(service, address, fingerprint);
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
    private Sight running(Service service, DatabaseAddress address, String fingerprint) throws DatabaseFailure {
        OptionalLong stored = storedBytes(service.id());
        DatabaseSettings whenFull = settings(service).whenFull(true);
        shares.measured(service.id(), stored, fingerprint.equals(databases.fingerprint(whenFull)));
        boolean fits = fingerprint.equals(databases.fingerprint(settings(service)));
        Database database = new Database(
                address.capabilities().version(), address.capabilities().protocols());
        BackupOrigin origin = service.fixed().origin();
        if (origin == null) {
            return settled(service, fits, database, stored);
        }
        return switch (backups.observeRestore(service.id(), origin.backupId())) {
            case Progress.Unknown _ -> new Sight(Condition.RUNNING, false, database, null);
            case Progress.UnderWay _ -> new Sight(Condition.STARTING, false, database, null);
            case Progress.Finished _ -> settled(service, fits, database, stored);
            case Progress.Failed(String reason) ->
                new Sight(Condition.BROKEN, false, database, "The backup cannot be restored: " + reason);
        };
    }

    private Sight settled(Service service, boolean fits, Database database, OptionalLong stored) {
        return new Sight(
                Condition.RUNNING,
                fits,
                database,
                shares.refusal(service.id()).orElse(null),
                stored.isPresent() ? stored.getAsLong() : null);
    }

    /** Empty when it does not say, which is no reason to call it broken. */
    private OptionalLong storedBytes(UUID id) {
        try {
            DatabaseClient.Answer all = databases.ask(id, OF_ALL_PARTS, MAX_ANSWER);
            // One that is silent is not asked a second time: it would take twice as long to say nothing.
            return number(
                    all instanceof DatabaseClient.Answer.Refusal ? databases.ask(id, OF_TABLES, MAX_ANSWER) : all);
        } catch (DatabaseFailure unreadable) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong number(DatabaseClient.Answer answer) {
        return answer instanceof DatabaseClient.Answer.Text(String text) && text.matches("[0-9]{1,18}")
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
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
        erase(service.id());
    }

    /** Removes everything that it has here. */
    public void erase(UUID serviceId) throws PlaneFault {
        attempt(() -> {
            backups.forget(serviceId);
            databases.erase(serviceId);
            shares.forget(serviceId);
            return serviceId;
        });
    }

    /** It goes to another machine with this backup: it does not run here, and is never started here again. */
    public void leave(UUID serviceId, UUID backupId) throws PlaneFault {
        attempt(() -> {
            databases.end(serviceId, _ -> databases.folder(serviceId).keepLeftWith(backupId));
            return serviceId;
        });
    }

    /** Those that have left or are about to, each with its backup. */
    public Map<UUID, UUID> left() throws PlaneFault {
        return attempt(() -> {
            Map<UUID, UUID> left = new HashMap<>();
            for (UUID id : databases.present()) {
                try {
                    databases.folder(id).leftWith().ifPresent(backup -> left.put(id, backup));
                } catch (IOException failure) {
                    throw DatabaseFailure.unusable(databases.folder(id).path(), failure);
                }
            }
            return left;
        });
    }

    /** It has not left after all. */
    public void remain(UUID serviceId) throws PlaneFault {
        attempt(() -> {
            databases.end(serviceId, _ -> databases.folder(serviceId).dropLeftWith());
            return serviceId;
        });
    }

    @Override
    public Database database() {
        return new Database(databases.installs().newest().version().orElse(null), databases.protocols());
    }

    @Override
    public List<Offer> offers() {
        return databases.installs().all().stream()
                .map(each -> new Offer(each.version(), each.since()))
                .toList();
    }

    @Override
    public String name() {
        return "local";
    }

    private DatabaseSettings settings(Service service) {
        Service.Pin pin = service.want().pin();
        return new DatabaseSettings(
                service.password(),
                ServiceSettings.memoryBytes(service),
                service.want().settings(),
                shares.isFull(service.id()),
                pin == null ? null : pin.version());
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
