package io.pilothouse.core.backup;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of its owner's that the backups of a service go to. A service has one current bucket at most; one that was
 * replaced or deleted stays for as long as a backup lies in it, because only its credentials reach that backup.
 */
public record BackupBucket(
        Head head,
        UUID organizationId,
        boolean current,
        Tree.Members fields,
        @Nullable String sealedSecrets) implements Stored {
    /** Owner: the service, which may be deleted. The current one is found by the id of its service. */
    public static final Kind<BackupBucket> KIND = new Kind<>("backup_buckets", BackupBucket.class);

    static BackupBucket of(Service service, UUID id, BucketDesign design, Vault vault, Instant now) {
        return new BackupBucket(
                Head.of(id, service.id(), now),
                service.organizationId(),
                true,
                design.fields(),
                design.sealedFor(id, vault));
    }

    public UUID serviceId() {
        return head.ownerId();
    }

    /** The same place with other credentials, for the backups that lie there too. */
    BackupBucket with(BucketDesign design, Vault vault) {
        return new BackupBucket(head, organizationId, current, design.fields(), design.sealedFor(id(), vault));
    }

    public BackupBucket withSealedSecrets(String sealed) {
        return new BackupBucket(head, organizationId, current, fields, sealed);
    }

    BackupBucket retired() {
        return new BackupBucket(head, organizationId, false, fields, sealedSecrets);
    }

    /** How it is reached, and its roles for this service alone. */
    BucketAccess access(Vault vault) {
        return BucketAccess.of(fields, secrets(vault), Service.iamRole(organizationId, serviceId()));
    }

    /** What opens it. */
    Tree.Members secrets(Vault vault) {
        return sealedSecrets == null
                ? Tree.Members.NONE
                : TreeBytes.read(vault.open(sealedSecrets, secretsContext(id())));
    }

    /** The form that clients see; its id stays the same while the service has one. */
    Tree.Members shown() {
        String name = serviceId() + " backupBucket";
        UUID shownId = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return Tree.Members.NONE.with("id", new Tree.Text(shownId.toString())).over(fields);
    }

    /** Binds what is sealed to its row, so that it opens nowhere else. */
    public static String secretsContext(UUID id) {
        return "backupBucket:" + id;
    }

    @Override
    public String toString() {
        return "BackupBucket[" + fields.text("bucketProvider").orElse("") + "]";
    }
}
