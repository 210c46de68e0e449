package io.pilothouse.core.service;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.MetricLabel;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.secret.PasswordHashes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A database service: what is wanted of it (written by requests) and what was last seen of it (written by the engine).
 * {@code wishedAt} is when the wish last changed; {@code awaking} says that RUN follows sleep; {@code origin} is the
 * backup whose data it begins with, if any.
 */
public record Service(
        Head head,
        String name,
        Placement placement,
        Scaling scaling,
        Warehouse warehouse,
        Access access,
        Encryption encryption,
        String releaseChannel,
        List<Tag> tags,
        boolean enableCoreDumps,
        PasswordHashes password,
        @Nullable BackupOrigin origin,
        BackupConfiguration backups,
        Wish wish,
        Instant wishedAt,
        boolean awaking,
        Seen seen)
        implements Stored {
    /** Reference: the warehouse id. */
    public static final Kind<Service> KIND = new Kind<>("services", Service.class);

    public Service {
        tags = List.copyOf(tags);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    public ServiceState state() {
        return ServiceState.of(wish, awaking, seen);
    }

    /** Whether it still has to take over the backup that it begins with. */
    public boolean isRestoring() {
        return origin != null && wish != Wish.DELETE && !seen.everRan();
    }

    /** The role that stands for this service towards other systems: derived, so it never changes. */
    public String iamRole() {
        return "pilothouse:" + organizationId() + ":service/" + id();
    }

    /** The role for disk encryption, there once the service has transparent encryption; derived as well. */
    public @Nullable String encryptionRoleId() {
        return encryption.transparent() ? iamRole() + "/encryption" : null;
    }

    public MetricLabel label() {
        return new MetricLabel(organizationId(), state().word(), seen.trouble() != null);
    }

    public Service withSeen(Seen now) {
        return new Service(
                head,
                name,
                placement,
                scaling,
                warehouse,
                access,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                password,
                origin,
                backups,
                wish,
                wishedAt,
                awaking,
                now);
    }

    /**
     * Changes the wish; waking from sleep is remembered, because clients tell it from a first start. A complaint was
     * about the old wish.
     */
    public Service withWish(Wish next, Instant now) {
        boolean wakes = next == Wish.RUN && wish == Wish.SLEEP;
        return new Service(
                head,
                name,
                placement,
                scaling,
                warehouse,
                access,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                password,
                origin,
                backups,
                next,
                now,
                wakes,
                seen.withTrouble(null));
    }

    public Service withAccess(Access next) {
        return new Service(
                head,
                name,
                placement,
                scaling,
                warehouse,
                next,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                password,
                origin,
                backups,
                wish,
                wishedAt,
                awaking,
                seen);
    }

    public Service withPassword(PasswordHashes next) {
        return new Service(
                head,
                name,
                placement,
                scaling,
                warehouse,
                access,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                next,
                origin,
                backups,
                wish,
                wishedAt,
                awaking,
                seen);
    }

    public Service withScaling(Scaling next) {
        return new Service(
                head,
                name,
                placement,
                next,
                warehouse,
                access,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                password,
                origin,
                backups,
                wish,
                wishedAt,
                awaking,
                seen);
    }

    public Service withBackups(BackupConfiguration next) {
        return new Service(
                head,
                name,
                placement,
                scaling,
                warehouse,
                access,
                encryption,
                releaseChannel,
                tags,
                enableCoreDumps,
                password,
                origin,
                next,
                wish,
                wishedAt,
                awaking,
                seen);
    }

    public Service withDetails(
            String newName,
            Access newAccess,
            Encryption newEncryption,
            String newReleaseChannel,
            List<Tag> newTags,
            boolean coreDumps) {
        return new Service(
                head,
                newName,
                placement,
                scaling,
                warehouse,
                newAccess,
                newEncryption,
                newReleaseChannel,
                newTags,
                coreDumps,
                password,
                origin,
                backups,
                wish,
                wishedAt,
                awaking,
                seen);
    }
}
