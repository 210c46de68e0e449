package io.pilothouse.core.backup;

import io.pilothouse.core.port.PlaneFault;
import java.util.Optional;
import java.util.UUID;

/** Where the bytes of a backup belong and what they are, for the plane that moves them. */
@FunctionalInterface
public interface BackupPlaces {
    /** Every backup is kept by the plane itself. */
    BackupPlaces HERE = _ -> Optional.empty();

    /**
     * The bucket of this backup; empty for one that the plane keeps itself.
     *
     * @throws PlaneFault where its credentials cannot be opened
     */
    Optional<BucketAccess> of(UUID backupId) throws PlaneFault;

    /** The SHA-256 of its file when it was made, in hexadecimal digits; empty where that is not known. */
    default Optional<String> sha256(UUID backupId) {
        return Optional.empty();
    }
}
