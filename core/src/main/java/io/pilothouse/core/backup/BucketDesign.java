package io.pilothouse.core.backup;

import io.pilothouse.core.base.AzureConnection;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import io.pilothouse.core.secret.Vault;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A bucket as a request wants it: checked, with its secrets apart. */
record BucketDesign(Tree.Members fields, Tree.Members secrets) {
    private static final String ROLE = "iamRoleArn";
    private static final String SESSION = "iamRoleSessionName";
    private static final String KEY_ID = "accessKeyId";
    private static final String CONNECTION = "connectionString";
    private static final String SECRET = "secretAccessKey";

    /** The members that decide where backups lie; with the others, a place is opened. */
    private static final List<String> PLACE = List.of(BucketProvider.MEMBER, "bucketPath", "containerName");

    /** A bucket that is being set; {@code reachable} says of a literal address whether it may be connected to. */
    static BucketDesign of(Tree.Members given, Predicate<String> reachable, Faults faults) {
        String word = given.text(BucketProvider.MEMBER).orElse("");
        Optional<BucketProvider> provider = BucketProvider.find(word);
        if (provider.isEmpty()) {
            faults.add(BucketProvider.MEMBER, word.isBlank() ? "is required" : BucketProvider.WORDS.message());
            return new BucketDesign(Tree.Members.NONE, Tree.Members.NONE);
        }
        ShapeCheck.Parts parts =
                new ShapeCheck(faults).create("", provider.get().fields(), given);
        BucketDesign design = new BucketDesign(parts.open(), parts.secret());
        design.check(provider.get(), reachable, faults);
        return design;
    }

    /** What is given over what is there; its secrets must be among what is given. */
    static BucketDesign change(Tree.Members current, Tree.Members given, Predicate<String> reachable, Faults faults) {
        if (!given.text(BucketProvider.MEMBER).equals(current.text(BucketProvider.MEMBER))) {
            return of(given, reachable, faults);
        }
        Tree.Members kept = current;
        // One way to log in takes the place of the other.
        if (given.text(KEY_ID).isPresent() && !given.has(ROLE)) {
            kept = kept.with(ROLE, null).with(SESSION, null);
        } else if (given.text(ROLE).isPresent() && !given.has(KEY_ID)) {
            kept = kept.with(KEY_ID, null);
        }
        return of(kept.over(given), reachable, faults);
    }

    private void check(BucketProvider provider, Predicate<String> reachable, Faults faults) {
        if (provider == BucketProvider.AZURE) {
            checkConnection(reachable, faults);
        } else {
            checkLocation(provider, reachable, faults);
        }
        if (provider == BucketProvider.AWS) {
            checkLogin(faults);
        }
    }

    private void checkConnection(Predicate<String> reachable, Faults faults) {
        if (!faults.has(CONNECTION)) {
            AzureConnection.parse(secrets.text(CONNECTION).orElse(""), faults)
                    .filter(connection -> !reachable.test(connection.endpoint().getHost()))
                    .ifPresent(_ -> faults.add(CONNECTION, "must not lead to a private, local or reserved address"));
        }
    }

    private void checkLocation(BucketProvider provider, Predicate<String> reachable, Faults faults) {
        if (!faults.has("bucketPath")) {
            BucketLocation.parse(provider, fields.text("bucketPath").orElse(""), reachable, faults);
        }
    }

    private void checkLogin(Faults faults) {
        boolean role = fields.has(ROLE);
        boolean key = fields.has(KEY_ID) || secrets.has(SECRET);
        if (!role && !key) {
            faults.add(ROLE, "is required, unless " + KEY_ID + " and " + SECRET + " are given");
        } else if (role && key) {
            faults.add(KEY_ID, "does not go with " + ROLE);
        } else if (key) {
            require(KEY_ID, fields, faults);
            require(SECRET, secrets, faults);
        }
        if (!role && fields.has(SESSION)) {
            faults.add(SESSION, "goes with " + ROLE + " only");
        }
    }

    private static void require(String name, Tree.Members members, Faults faults) {
        if (!members.has(name)) {
            faults.add(name, "is required");
        }
    }

    boolean isWhere(Tree.Members other) {
        return PLACE.stream().allMatch(name -> fields.text(name).equals(other.text(name)));
    }

    BucketAccess access(String externalId) {
        return BucketAccess.of(fields, secrets, externalId);
    }

    @Nullable
    String sealedFor(UUID id, Vault vault) {
        return secrets.values().isEmpty()
                ? null
                : vault.seal(TreeBytes.write(secrets), BackupBucket.secretsContext(id));
    }

    @Override
    public String toString() {
        return "BucketDesign[" + fields.text(BucketProvider.MEMBER).orElse("") + "]";
    }
}
