package io.pilothouse.core.backup;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDesign;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceOrigins;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The share that backups have in the lives of services: the old one that is copied, and the new one that begins with a copy. */
public final class BackupsOfService implements ServiceFollower, ServiceOrigins {
    private static final int A_FEW = 10;

    /** Its backups may have waited for it to run. */
    @Override
    public void running(Tables tables, Service service, Instant now) {
        if (service.warehouse().primary()) {
            wake(tables, service, now);
        }
    }

    private static void wake(Tables tables, Service service, Instant now) {
        tables.tasks().wake(Tasks.Kind.BACKUP, service.id(), Tasks.Urgency.ROUTINE, now);
        tables.tasks().place(Tasks.Kind.BACKUP, service.id(), service.hostId());
    }

    /** Finished backups stay for as long as the service wanted them kept; the engine sees to their end. */
    @Override
    public void removed(Tables tables, Service service, Instant now) {
        int hours = service.backups().retentionHours();
        for (Backup backup : tables.of(Backup.KIND).pageBackwards(service.id(), null, 2 * RuleBook.MAX_BACKUPS)) {
            if (backup.retentionHours() != hours) {
                tables.of(Backup.KIND).overwrite(backup.keptFor(hours));
            }
        }
        BucketsOfService.current(tables, service.id()).ifPresent(bucket -> BucketsOfService.retire(tables, bucket));
        wake(tables, service, now);
    }

    /** A backup that is to be made now, of which nothing is there yet. */
    static Backup begin(Tables tables, Service service, Backup.Trigger trigger, Instant now) {
        Backup plain = Backup.of(service, tables.newId(now), trigger, now);
        Optional<BackupBucket> bucket = BucketsOfService.current(tables, service.id());
        return tables.of(Backup.KIND)
                .insert(bucket.map(there -> plain.in(there.id())).orElse(plain));
    }

    /**
     * Why this service cannot go to another host with a backup, a sentence for operators; empty if it can. All of its
     * backups have to be where that host can read them.
     */
    public static Optional<String> staysFor(Tables tables, Service service) {
        if (!service.warehouse().primary()) {
            return Optional.of("It is not the primary service of its warehouse, which is the one with backups");
        }
        if (BucketsOfService.current(tables, service.id()).isEmpty()) {
            return Optional.of("It has no backup bucket to go by: give it one");
        }
        long here = tables.of(Backup.KIND).pageBackwards(service.id(), null, 2 * RuleBook.MAX_BACKUPS).stream()
                .filter(backup -> backup.bucketId() == null && backup.state() != Backup.State.CLEARED)
                .count();
        return here == 0
                ? Optional.empty()
                : Optional.of(
                        "Backups of it are on the disk of its host (" + here + "): it goes once they have expired");
    }

    /** Begins the backup that a service goes to another host with; none that was begun before has all of its data. */
    public static Backup beginLast(Tables tables, Service service, Instant now) {
        tables.of(Backup.KIND).pageBackwards(service.id(), null, 1).stream()
                .filter(newest -> newest.state() == Backup.State.IN_PROGRESS)
                .forEach(newest ->
                        tables.of(Backup.KIND).overwrite(newest.failed("The service moves to another host", now)));
        Backup last = begin(tables, service, Backup.Trigger.DEMAND, now);
        wake(tables, service, now);
        return last;
    }

    /** The service is to begin with this backup on another host, so it is kept until then. */
    public static void holdLast(Tables tables, Service arriving, Backup last) {
        tables.of(Backup.KIND).overwrite(last.restoredBy(arriving.id(), List.of()));
    }

    /** Nothing would come of a backup that waits for a service to wake. */
    @Override
    public boolean keepsAwake(Tables tables, Service service) {
        return isUnderWay(tables, service.id());
    }

    /** Whether a backup of the service was asked for and has not ended; there is one at a time. */
    public static boolean isUnderWay(Tables tables, UUID serviceId) {
        return tables.of(Backup.KIND).pageBackwards(serviceId, null, 1).stream()
                .anyMatch(newest -> newest.state() == Backup.State.IN_PROGRESS);
    }

    /** The backup that was made last, of those that have not failed and are not being removed. */
    static Optional<Backup> newestFinished(Tables tables, UUID serviceId) {
        Table<Backup> backups = tables.of(Backup.KIND);
        List<Backup> page = backups.pageBackwards(serviceId, null, A_FEW);
        while (!page.isEmpty()) {
            Optional<Backup> finished = page.stream()
                    .filter(backup -> backup.state() == Backup.State.DONE)
                    .findFirst();
            if (finished.isPresent()) {
                return finished;
            }
            page = backups.pageBackwards(serviceId, Table.Cursor.of(page.getLast()), A_FEW);
        }
        return Optional.empty();
    }

    @Override
    public Optional<ServiceDesign.Origin> find(Tables tables, Permit permit, UUID backupId) {
        return finished(tables, permit, backupId)
                .map(backup -> new ServiceDesign.Origin(
                        new BackupOrigin(backup.serviceId(), backup.id()), backup.region(), backup.tier()));
    }

    @Override
    public void hold(Tables tables, Permit permit, UUID backupId, UUID serviceId) {
        Backup backup = finished(tables, permit, backupId)
                .orElseThrow(
                        () -> Refused.badRequest("backupId", "is not a finished backup of this organization any more"));
        List<UUID> through = backup.restoring().stream()
                .filter(id -> tables.of(Service.KIND)
                        .find(id)
                        .filter(Service::isRestoring)
                        .isEmpty())
                .toList();
        tables.of(Backup.KIND).overwrite(backup.restoredBy(serviceId, through));
    }

    private static Optional<Backup> finished(Tables tables, Permit permit, UUID backupId) {
        return tables.of(Backup.KIND)
                .find(backupId)
                .filter(backup -> backup.organizationId().equals(permit.organizationId()))
                // Restoring it gives what was in it.
                .filter(backup -> permit.allows(Permission.BACKUP_WRITE, backup.serviceId()))
                .filter(backup -> backup.state() == Backup.State.DONE);
    }
}
