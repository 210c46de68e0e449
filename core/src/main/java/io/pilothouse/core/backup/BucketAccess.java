package io.pilothouse.core.backup;

import io.pilothouse.core.base.AzureConnection;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.secret.AwsSignature;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A bucket with what opens it, for the moment in which its bytes are moved; never written down, logged or shown. */
public sealed interface BucketAccess {
    /** An S3-compatible bucket. */
    record S3(BucketLocation location, Login login) implements BucketAccess {}

    /** A container of an Azure storage account, and the account's key in base64. */
    record Azure(URI endpoint, String account, String container, String key) implements BucketAccess {
        @Override
        public String toString() {
            return "Azure[" + endpoint + ", " + container + "]";
        }
    }

    /** As whom a store is asked. */
    sealed interface Login {
        /** A key; its {@code token} is there where it holds for a short time only. */
        record Key(String id, String secret, @Nullable String token) implements Login {
            @Override
            public String toString() {
                return "Key[" + id + "]";
            }

            public AwsSignature signature(String region, String service) {
                return new AwsSignature(id, secret, token, region, service);
            }
        }

        /** A role to be taken on with the control plane's own identity; {@code externalId} says for whom. */
        record Role(String arn, String session, String externalId) implements Login {}
    }

    /** Of fields that were checked before they were kept; {@code externalId} stands for the service at its roles. */
    static BucketAccess of(Tree.Members fields, Tree.Members secrets, String externalId) {
        BucketProvider provider =
                BucketProvider.find(text(fields, BucketProvider.MEMBER)).orElseThrow();
        return switch (provider) {
            case AWS, GCP -> new S3(location(provider, fields), login(fields, secrets, externalId));
            case AZURE ->
                AzureConnection.parse(text(secrets, "connectionString"), new Faults())
                        .map(account -> new Azure(
                                account.endpoint(), account.account(), text(fields, "containerName"), account.key()))
                        .orElseThrow();
        };
    }

    private static BucketLocation location(BucketProvider provider, Tree.Members fields) {
        // An address is checked again before it is connected to, by the rules that hold then.
        return BucketLocation.parse(provider, text(fields, "bucketPath"), _ -> true, new Faults())
                .orElseThrow();
    }

    private static Login login(Tree.Members fields, Tree.Members secrets, String externalId) {
        Optional<String> role = fields.text("iamRoleArn");
        return role.isPresent()
                ? new Login.Role(role.get(), fields.text("iamRoleSessionName").orElse("pilothouse-backups"), externalId)
                : new Login.Key(text(fields, "accessKeyId"), text(secrets, "secretAccessKey"), null);
    }

    private static String text(Tree.Members members, String name) {
        return members.text(name).orElse("");
    }
}
