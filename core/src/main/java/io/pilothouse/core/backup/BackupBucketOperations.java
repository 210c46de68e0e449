package io.pilothouse.core.backup;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The verbs of the bucket that a service's backups go to; their results are in the form that clients see. No request
 * asks the bucket: whether it can be reached is said by the next backup.
 */
public final class BackupBucketOperations {
    private static final String TITLE = "Backup bucket";

    private final Store store;
    private final Clock clock;
    private final Vault vault;
    private final Predicate<String> reachable;
    private final Function<BucketAccess, Optional<String>> refusal;
    private final ActivityLog log;

    /**
     * {@code reachable} says of a host that is an address whether it may be connected to; {@code refusal} is why the
     * plane cannot use such a bucket, answered from memory, and empty if it can.
     */
    public BackupBucketOperations(
            Store store,
            Clock clock,
            Vault vault,
            Predicate<String> reachable,
            Function<BucketAccess, Optional<String>> refusal) {
        this.store = store;
        this.clock = clock;
        this.vault = vault;
        this.reachable = reachable;
        this.refusal = refusal;
        this.log = new ActivityLog(clock);
    }

    public Tree.Members get(Permit permit, UUID serviceId) {
        return store.read(tables -> current(tables, BackupOperations.primary(tables, permit, serviceId))
                .shown());
    }

    public Prepared<Tree.Members> create(Permit permit, UUID serviceId, Tree.Members given, Faults faults) {
        BucketDesign design = BucketDesign.of(given, reachable, faults);
        faults.refuseIfAny();
        requirePossible(design, Service.iamRole(permit.organizationId(), serviceId));
        return tables -> {
            Service service = lasting(tables, permit, serviceId);
            if (BucketsOfService.current(tables, serviceId).isPresent()) {
                throw new Refused(
                        Refused.Reason.CONFLICT, "The service has a backup bucket: change it, or delete it first");
            }
            Tree.Members after = insert(tables, service, design).shown();
            List<FieldChange> seen = FieldChange.between(Tree.Members.NONE, after);
            log.add(tables, permit, "service_backup_bucket_create", serviceId, serviceId, seen);
            return after;
        };
    }

    public Tree.Members update(
            Permit permit, UUID serviceId, Tree.Members given, Precondition<Tree.Members> precondition, Faults faults) {
        faults.refuseIfAny();
        return store.write(tables -> {
            Service service = lasting(tables, permit, serviceId);
            BackupBucket before = current(tables, service);
            precondition.require(before::shown);
            Faults late = new Faults();
            BucketDesign design = BucketDesign.change(before.fields(), given, reachable, late);
            late.refuseIfAny();
            requirePossible(design, Service.iamRole(permit.organizationId(), serviceId));
            if (design.equals(new BucketDesign(before.fields(), before.secrets(vault)))) {
                return before.shown();
            }
            Tree.Members after = replace(tables, service, before, design).shown();
            List<FieldChange> changes = precondition.changes(before.shown(), after);
            log.add(tables, permit, "service_backup_bucket_update", serviceId, serviceId, changes);
            return after;
        });
    }

    private BackupBucket replace(Tables tables, Service service, BackupBucket before, BucketDesign design) {
        if (design.isWhere(before.fields())) {
            return tables.of(BackupBucket.KIND).overwrite(before.with(design, vault));
        }
        BucketsOfService.retire(tables, before);
        return insert(tables, service, design);
    }

    /** Backups that lie in it stay, with the credentials that they are restored and deleted with. */
    public void delete(Permit permit, UUID serviceId, Precondition<Tree.Members> precondition) {
        store.change(tables -> {
            BackupBucket before = current(tables, BackupOperations.primary(tables, permit, serviceId));
            precondition.require(before::shown);
            BucketsOfService.retire(tables, before);
            log.add(
                    tables,
                    permit,
                    "service_backup_bucket_delete",
                    serviceId,
                    serviceId,
                    precondition.gone(before.shown()));
        });
    }

    private BackupBucket insert(Tables tables, Service service, BucketDesign design) {
        Instant now = clock.now();
        return tables.of(BackupBucket.KIND).insert(BackupBucket.of(service, tables.newId(now), design, vault, now));
    }

    private void requirePossible(BucketDesign design, String externalId) {
        refusal.apply(design.access(externalId)).ifPresent(reason -> {
            throw Refused.badRequest("", reason);
        });
    }

    private static Service lasting(Tables tables, Permit permit, UUID serviceId) {
        Service service = BackupOperations.primary(tables, permit, serviceId);
        ServiceOperations.requireLasting(service);
        return service;
    }

    private static BackupBucket current(Tables tables, Service service) {
        return BucketsOfService.current(tables, service.id()).orElseThrow(() -> Refused.notFound(TITLE));
    }
}
