package io.pilothouse.core.backup;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServiceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of backups. They belong to the primary service of a warehouse, and the finished ones can be read and
 * restored for as long as they are kept, even if their service is gone.
 */
public final class BackupOperations {
    private final Store store;
    private final Clock clock;
    private final Function<Service, Optional<String>> refusal;
    private final Wake wake;
    private final ActivityLog log;

    /** {@code refusal} is why a service's engine cannot be backed up, answered from memory; empty if it can. */
    public BackupOperations(Store store, Clock clock, Function<Service, Optional<String>> refusal, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.refusal = refusal;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    public Page<BackupView> page(Permit permit, UUID serviceId, Table.@Nullable Cursor before, int limit) {
        Instant now = clock.now();
        return store.read(tables -> {
            boolean known = tables.of(Service.KIND)
                    .find(permit.organizationId(), serviceId)
                    .isPresent();
            List<Backup> page = tables.of(Backup.KIND).pageBackwards(serviceId, before, limit);
            List<BackupView> views = page.stream()
                    .filter(backup -> shown(permit, backup))
                    .map(backup -> BackupView.of(tables, backup, now))
                    .toList();
            if (!known && views.isEmpty() && before == null) {
                throw Refused.notFound("Service");
            }
            return new Page<>(views, page.size() < limit ? null : Table.Cursor.of(page.getLast()));
        });
    }

    public BackupView get(Permit permit, UUID serviceId, UUID backupId) {
        return store.read(tables -> {
            Optional<Backup> found =
                    tables.of(Backup.KIND).find(serviceId, backupId).filter(backup -> shown(permit, backup));
            if (found.isEmpty()) {
                ServiceOperations.get(tables, permit, serviceId);
                throw Refused.notFound("Backup");
            }
            return BackupView.of(tables, found.get(), clock.now());
        });
    }

    private static boolean shown(Permit permit, Backup backup) {
        return backup.organizationId().equals(permit.organizationId()) && backup.state() != Backup.State.LEAVING;
    }

    /** Asks for a backup now; one at a time. */
    public Prepared<BackupView> create(Permit permit, UUID serviceId, Faults faults) {
        faults.refuseIfAny();
        refusal.apply(store.read(tables -> primary(tables, permit, serviceId))).ifPresent(reason -> {
            throw Refused.badRequest("", reason);
        });
        return tables -> {
            Service service = primary(tables, permit, serviceId);
            if (service.state() != ServiceState.RUNNING) {
                throw conflict("Only a running service can be backed up. Current state: '"
                        + service.state().word() + "'");
            }
            if (BackupsOfService.isUnderWay(tables, serviceId)) {
                throw conflict("A backup of this service is in progress: wait until it has finished");
            }
            if (tables.of(Backup.KIND).count(serviceId) >= RuleBook.MAX_BACKUPS) {
                throw conflict("A service has at most " + RuleBook.MAX_BACKUPS + " backups");
            }
            Instant now = clock.now();
            Backup made = BackupsOfService.begin(tables, service, Backup.Trigger.DEMAND, now);
            String status = made.state().word().orElse("");
            log.add(tables, permit, "backup_create", serviceId, made.id(), FieldChange.made("status", status));
            wake(tables, serviceId, Tasks.Urgency.NEW);
            return BackupView.of(tables, made, now);
        };
    }

    public BackupConfiguration configuration(Permit permit, UUID serviceId) {
        return store.read(tables -> primary(tables, permit, serviceId).backups());
    }

    public BackupConfiguration updateConfiguration(
            Permit permit,
            UUID serviceId,
            BackupChange change,
            Precondition<BackupConfiguration> precondition,
            Faults faults) {
        change.check(faults);
        faults.refuseIfAny();
        return store.write(tables -> {
            Service current = primary(tables, permit, serviceId);
            precondition.require(current::backups);
            ServiceOperations.requireLasting(current);
            Faults late = new Faults();
            BackupConfiguration next = change.on(current.backups(), late);
            late.refuseIfAny();
            if (next.retentionHours() < current.backups().retentionHours()) {
                // Backups that are there go earlier by it.
                permit.require(Permission.SERVICE_DELETE);
            }
            if (!next.equals(current.backups())) {
                ServiceOperations.replace(tables, current.withBackups(next), current);
                List<FieldChange> changes = precondition.changes(current.backups(), next);
                log.add(tables, permit, "service_update_backup_configuration", serviceId, serviceId, changes);
                wake(tables, serviceId, Tasks.Urgency.CHANGED);
            }
            return next;
        });
    }

    static Service primary(Tables tables, Permit permit, UUID serviceId) {
        Service service = ServiceOperations.get(tables, permit, serviceId);
        if (!service.warehouse().primary()) {
            throw Refused.badRequest(
                    "path.serviceId", "is not the primary service of its warehouse, which is the one with backups");
        }
        return service;
    }

    private static Refused conflict(String sentence) {
        return new Refused(Refused.Reason.CONFLICT, sentence);
    }

    private void wake(Tables tables, UUID serviceId, Tasks.Urgency urgency) {
        tables.tasks().wake(Tasks.Kind.BACKUP, serviceId, urgency, clock.now());
        tables.afterCommit(wake::nudge);
    }
}
