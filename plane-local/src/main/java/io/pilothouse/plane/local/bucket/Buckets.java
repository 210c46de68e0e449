package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.backup.BucketLocation;
import io.pilothouse.core.port.Clock;
import java.net.URI;
import java.util.Optional;

/** Opens buckets of every provider. */
public final class Buckets {
    private final StoreClient client;
    private final Clock clock;
    private final Optional<Identity> identity;

    /** Who the control plane itself is at Amazon, and the URL at which it takes on roles. */
    public record Identity(Login.Key key, URI roles) {}

    public Buckets(StoreClient client, Clock clock, Optional<Identity> identity) {
        this.client = client;
        this.clock = clock.machine();
        this.identity = identity;
    }

    /** Takes on roles for others than buckets, each for a short question; empty without an identity to do so with. */
    public Optional<Roles> roles() {
        return identity.map(own -> new Roles(client.hasty(), own));
    }

    /** Why a bucket cannot be opened here at all, a sentence for clients. */
    public Optional<String> refusal(BucketAccess bucket) {
        return switch (bucket) {
            case BucketAccess.S3(BucketLocation _, Login.Key _) -> Optional.empty();
            case BucketAccess.Azure _ ->
                Optional.of(
                        "This control plane cannot keep backups in Azure yet; AWS, GCP and S3-compatible stores work.");
            case BucketAccess.S3(BucketLocation _, Login.Role _) ->
                identity.isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "This control plane has no AWS identity to take on iamRoleArn with: give accessKeyId"
                                        + " and secretAccessKey instead, or have its operator set aws-access-key-id.");
        };
    }

    /** For moving files. */
    public ObjectStore open(BucketAccess bucket) throws BucketFault {
        return open(bucket, client);
    }

    /** For a short question. */
    ObjectStore openHastily(BucketAccess bucket) throws BucketFault {
        return open(bucket, client.hasty());
    }

    private ObjectStore open(BucketAccess bucket, StoreClient through) throws BucketFault {
        return switch (bucket) {
            case BucketAccess.S3(BucketLocation location, Login.Key key) -> new S3Store(through, location, () -> key);
            case BucketAccess.S3(BucketLocation location, Login.Role role) ->
                new S3Store(
                        through,
                        location,
                        new RoleKeys(
                                new Roles(
                                        through,
                                        identity.orElseThrow(() ->
                                                new BucketFault("the control plane has no AWS identity any more"))),
                                clock,
                                role));
            case BucketAccess.Azure _ -> throw new BucketFault("it is in Azure, which does not work yet");
        };
    }
}
