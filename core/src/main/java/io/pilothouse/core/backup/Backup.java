package io.pilothouse.core.backup;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a service's data, from the moment it was asked for; {@code createdAt} is that moment. It keeps what a
 * restore is checked against, because its service may be deleted by then. {@code restoring} are the services that were
 * ordered to begin with it: while one of them still has to, it must be kept. {@code bucketId} is the bucket of the
 * service's owner that it is in, and null for one that the plane keeps itself. {@code proof} is null until it was once
 * restored to see whether it can be.
 */
public record Backup(
        Head head,
        UUID organizationId,
        Trigger trigger,
        String region,
        @Nullable String tier,
        int retentionHours,
        State state,
        @Nullable Instant endedAt,
        Archive archive,
        @Nullable String trouble,
        List<UUID> restoring,
        @Nullable UUID bucketId,
        @Nullable BackupProof proof)
        implements Stored {
    /** Owner: the service, which may be deleted. */
    public static final Kind<Backup> KIND = new Kind<>("backups", Backup.class);

    /** Who wanted it: its service's schedule or a caller. */
    public enum Trigger {
        SCHEDULE,
        DEMAND
    }

    /** How far it has come. */
    public enum State {
        IN_PROGRESS("in_progress"),
        DONE("done"),
        /** It failed, and what was begun of it may still be there. */
        FAILED("error"),
        /** It failed, and nothing is left of it but this row. */
        CLEARED("error"),
        /** It is being removed since {@code endedAt}, and no longer shown. */
        LEAVING(null);

        private final @Nullable String word;

        State(@Nullable String word) {
            this.word = word;
        }

        /** The word that clients see; empty for a state they are not shown. */
        public Optional<String> word() {
            return Optional.ofNullable(word);
        }
    }

    public Backup {
        restoring = List.copyOf(restoring);
    }

    public long sizeInBytes() {
        return archive.bytes();
    }

    public UUID serviceId() {
        return head.ownerId();
    }

    /** The row with which a backup of this service begins. */
    public static Backup of(Service service, UUID id, Trigger trigger, Instant now) {
        return new Backup(
                Head.of(id, service.id(), now),
                service.organizationId(),
                trigger,
                service.placement().region(),
                service.placement().tier(),
                service.backups().retentionHours(),
                State.IN_PROGRESS,
                null,
                Archive.NONE,
                null,
                List.of(),
                null,
                null);
    }

    /** The same, to be kept in this bucket. */
    Backup in(UUID bucket) {
        return with(retentionHours, state, endedAt, archive, trouble, restoring, bucket, proof);
    }

    /** Its name among the objects of a bucket. */
    public static String objectName(UUID serviceId, UUID backupId) {
        return serviceId + "/" + backupId + ".tar.gz";
    }

    public Backup done(Archive made, Instant now) {
        return with(State.DONE, now, made, null);
    }

    public Backup failed(String reason, Instant now) {
        return with(State.FAILED, now, Archive.NONE, reason);
    }

    public Backup cleared() {
        return with(State.CLEARED, endedAt, Archive.NONE, trouble);
    }

    public Backup leaving(Instant now) {
        return with(State.LEAVING, now, archive, trouble);
    }

    /** Remembers why the last attempt did not work, for the sentence that reports a missed deadline. */
    public Backup troubled(@Nullable String reason) {
        return with(state, endedAt, archive, reason);
    }

    /** Keeps it for as long as its service last asked for before it was deleted. */
    public Backup keptFor(int hours) {
        return with(hours, state, endedAt, archive, trouble, restoring, bucketId, proof);
    }

    /** One more service begins with it; those that are through are forgotten. */
    public Backup restoredBy(UUID newServiceId, List<UUID> through) {
        List<UUID> next = new ArrayList<>(restoring);
        next.removeAll(through);
        next.add(newServiceId);
        return with(retentionHours, state, endedAt, archive, trouble, next, bucketId, proof);
    }

    /** The same, with what is known now of whether it can be restored. */
    public Backup proven(BackupProof known) {
        return with(retentionHours, state, endedAt, archive, trouble, restoring, bucketId, known);
    }

    /** Whether it is there, and not known to be damaged. */
    public boolean isGood() {
        return state == State.DONE && (proof == null || proof.outcome() != BackupProof.Outcome.DAMAGED);
    }

    private Backup with(State next, @Nullable Instant ended, Archive made, @Nullable String reason) {
        return with(retentionHours, next, ended, made, reason, restoring, bucketId, proof);
    }

    /** The same backup; these are what changes in its life. */
    private Backup with(
            int hours,
            State next,
            @Nullable Instant ended,
            Archive made,
            @Nullable String reason,
            List<UUID> restorers,
            @Nullable UUID bucket,
            @Nullable BackupProof known) {
        return new Backup(
                head,
                organizationId,
                trigger,
                region,
                tier,
                hours,
                next,
                ended,
                made,
                reason,
                restorers,
                bucket,
                known);
    }
}
