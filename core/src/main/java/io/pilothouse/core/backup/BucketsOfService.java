package io.pilothouse.core.backup;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import java.util.Optional;
import java.util.UUID;

/** The buckets of services as the store has them: which a backup is in, and for how long one of the past is kept. */
public final class BucketsOfService implements BackupPlaces {
    private final Store store;
    private final Vault vault;

    public BucketsOfService(Store store, Vault vault) {
        this.store = store;
        this.vault = vault;
    }

    @Override
    public Optional<BucketAccess> of(UUID backupId) throws PlaneFault {
        Optional<BackupBucket> bucket = store.read(tables -> tables.of(Backup.KIND)
                .find(backupId)
                .flatMap(backup -> Optional.ofNullable(backup.bucketId()))
                .flatMap(tables.of(BackupBucket.KIND)::find));
        if (bucket.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(bucket.get().access(vault));
        } catch (VaultFault fault) {
            throw new PlaneFault("The credentials of the backup's bucket cannot be opened", fault);
        }
    }

    @Override
    public Optional<String> sha256(UUID backupId) {
        return store.read(tables -> tables.of(Backup.KIND)
                .find(backupId)
                .flatMap(backup -> Optional.ofNullable(backup.archive().sha256())));
    }

    /** The one that new backups go to. */
    static Optional<BackupBucket> current(Tables tables, UUID serviceId) {
        return tables.of(BackupBucket.KIND).findByReference(serviceId.toString());
    }

    /** No backup goes to it any more. */
    static void retire(Tables tables, BackupBucket bucket) {
        if (isInUse(tables, bucket)) {
            tables.of(BackupBucket.KIND).overwrite(bucket.retired());
        } else {
            tables.of(BackupBucket.KIND).delete(bucket.id(), bucket.version());
        }
    }

    /** The row of a backup was deleted: where it was the last one in a bucket of the past, that goes too. */
    static void release(Tables tables, Backup deleted) {
        Optional.ofNullable(deleted.bucketId())
                .flatMap(tables.of(BackupBucket.KIND)::find)
                .filter(bucket -> !bucket.current() && !isInUse(tables, bucket))
                .ifPresent(bucket -> tables.of(BackupBucket.KIND).delete(bucket.id(), bucket.version()));
    }

    private static boolean isInUse(Tables tables, BackupBucket bucket) {
        return tables.of(Backup.KIND).pageBackwards(bucket.serviceId(), null, 2 * RuleBook.MAX_BACKUPS).stream()
                .anyMatch(backup -> bucket.id().equals(backup.bucketId()));
    }
}
