package io.pilothouse.core.backup;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Copies of a service's data, kept out of the service's own reach. Everything is addressed by the ids of the service
 * and of the backup, may be asked again at any time, and may be slow; only the engine calls it. A call that fails
 * throws {@link PlaneFault}; its work so far is then observed afresh.
 */
public interface Backups {
    /** Begins a backup of a running service; does nothing if it is under way or made already. */
    void begin(Service service, UUID backupId) throws PlaneFault;

    /** The progress of a backup; changes nothing, and needs the service neither to run nor to exist. */
    Progress observe(UUID serviceId, UUID backupId) throws PlaneFault;

    /** Removes a backup, finished or not; a missing one is not an error. */
    void drop(UUID serviceId, UUID backupId) throws PlaneFault;

    /** How long ago the last proof may be that a backup of a service can be restored; zero if one is only made when asked. */
    default Duration provenEvery() {
        return Duration.ZERO;
    }

    /** Begins to prove it with a database of its own, beside the service and out of reach of clients; one at a time. */
    default void prove(UUID serviceId, UUID backupId) throws PlaneFault {}

    /** How far the proof of a backup is; answered from memory. */
    default Proving proving(UUID serviceId, UUID backupId) throws PlaneFault {
        return new Proving.Busy();
    }

    /** What came of a proof is being written down: the next one of this backup begins from nothing. */
    default void forgetProof(UUID serviceId, UUID backupId) throws PlaneFault {}

    /** Why no backup can be proven here, a sentence for operators; empty if they can be. Answered from memory. */
    default Optional<String> proofRefusal() {
        return Optional.of("This plane keeps no backups that could be restored to see whether they can be");
    }

    /**
     * Why this service cannot be backed up, a sentence for clients; empty if it can be, or if that is not known.
     * Answered from memory, because requests ask it too.
     */
    default Optional<String> refusal(Service service) {
        return Optional.empty();
    }

    /** Why no backup can go to such a bucket, a sentence for clients; answered from memory as well. */
    default Optional<String> refusal(BucketAccess bucket) {
        return Optional.empty();
    }

    /** How far a backup has come. */
    sealed interface Progress {
        /** It was never begun, or was lost on its way: begin (again). */
        record Unknown() implements Progress {}

        record UnderWay() implements Progress {}

        record Finished(Archive archive) implements Progress {}

        /** It cannot be made; {@code reason} is a sentence for clients. */
        record Failed(String reason) implements Progress {}
    }
}
