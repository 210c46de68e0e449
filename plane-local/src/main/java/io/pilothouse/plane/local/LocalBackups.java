package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.backup.Proving;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Backups of the databases of this machine, and which services must stay awake for theirs. Safe for many threads. */
public final class LocalBackups implements Backups {
    private final DatabaseBackups backups;
    private final Optional<BackupProofs> proofs;
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

    public LocalBackups(DatabaseBackups backups) {
        this(backups, Optional.empty());
    }

    public LocalBackups(DatabaseBackups backups, Optional<BackupProofs> proofs) {
        this.backups = backups;
        this.proofs = proofs;
    }

    @Override
    public Duration provenEvery() {
        return proofs.map(BackupProofs::every).orElse(Duration.ZERO);
    }

    @Override
    public void prove(UUID serviceId, UUID backupId) {
        proofs.ifPresent(each -> each.begin(serviceId, backupId));
    }

    @Override
    public Proving proving(UUID serviceId, UUID backupId) {
        return proofs.<Proving>map(each -> each.of(backupId)).orElseGet(Proving.Busy::new);
    }

    @Override
    public void forgetProof(UUID serviceId, UUID backupId) {
        proofs.ifPresent(each -> each.forget(backupId));
    }

    @Override
    public Optional<String> proofRefusal() {
        return proofs.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "No backup is restored here to see whether it can be, because databases are not fenced in");
    }

    @Override
    public Optional<String> refusal(Service service) {
        return backups.refusal(service.id());
    }

    @Override
    public Optional<String> refusal(BucketAccess bucket) {
        return backups.refusal(bucket);
    }

    @Override
    public void begin(Service service, UUID backupId) throws PlaneFault {
        busy.add(service.id());
        try {
            backups.begin(service.id(), backupId);
        } catch (DatabaseFailure fault) {
            busy.remove(service.id());
            throw faultOf(fault);
        }
    }

    @Override
    public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
        try {
            Progress progress = backups.observe(serviceId, backupId);
            if (progress instanceof Progress.UnderWay) {
                busy.add(serviceId);
            } else {
                busy.remove(serviceId);
            }
            return progress;
        } catch (DatabaseFailure fault) {
            throw faultOf(fault);
        }
    }

    @Override
    public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
        proofs.ifPresent(each -> each.forget(backupId));
        try {
            backups.erase(serviceId, backupId);
        } catch (DatabaseFailure fault) {
            throw faultOf(fault);
        }
    }

    /** The rows of its backups are others from now on. */
    public void forget(UUID serviceId) {
        busy.remove(serviceId);
    }

    /** Whether a backup of it is being made, as far as is known. */
    boolean isBusy(UUID serviceId) {
        return busy.contains(serviceId);
    }

    private static PlaneFault faultOf(DatabaseFailure fault) {
        return new PlaneFault(String.valueOf(fault.getMessage()), fault);
    }
}
