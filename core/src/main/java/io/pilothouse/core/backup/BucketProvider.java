package io.pilothouse.core.backup;

import static io.pilothouse.core.base.FieldShape.form;
import static io.pilothouse.core.base.FieldShape.word;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.WordRule;
import java.util.List;
import java.util.Optional;

/** The kinds of bucket that backups can go to, and what describes one of each. */
public enum BucketProvider {
    AWS,
    GCP,
    AZURE;

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), BucketProvider::name);

    static final String MEMBER = "bucketProvider";

    private static final PatternRule PATH = PatternRule.of(
            "(s3|gs|https?)://[!-~]{1,1000}",
            "must begin with s3://, gs:// or https:// and be at most 1,000 characters");
    private static final PatternRule ROLE = PatternRule.of(
            "arn:aws[a-z-]*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,512}", "must be the ARN of an IAM role");
    private static final PatternRule SESSION =
            PatternRule.of("[A-Za-z0-9+=,.@_-]{2,64}", "must be 2 to 64 of letters, digits and the characters +=,.@_-");
    private static final PatternRule KEY_ID =
            PatternRule.of("[A-Za-z0-9._-]{1,128}", "must be 1 to 128 of letters, digits, '.', '_' and '-'");
    private static final PatternRule SECRET =
            PatternRule.of("[!-~]{1,1024}", "must be 1 to 1,024 visible ASCII characters");
    private static final PatternRule CONTAINER = PatternRule.of(
            "[a-z0-9](-?[a-z0-9]){2,62}", "must be the name of a container: lower-case letters, digits and hyphens");
    private static final PatternRule CONNECTION =
            PatternRule.of("[!-~]{1,4096}", "must be 1 to 4,096 visible ASCII characters");

    /** The fields of a bucket here; {@code secretAccessKey} and {@code connectionString} go to the vault. */
    public List<FieldShape> fields() {
        FieldShape provider = word(MEMBER, name()).needed().changeable();
        return switch (this) {
            case AWS ->
                List.of(
                        provider,
                        form("bucketPath", PATH).needed().changeable(),
                        form("iamRoleArn", ROLE).changeable(),
                        form("iamRoleSessionName", SESSION).changeable(),
                        form("accessKeyId", KEY_ID).changeable(),
                        form("secretAccessKey", SECRET).hidden().changeable());
            case GCP ->
                List.of(
                        provider,
                        form("bucketPath", PATH).needed().changeable(),
                        form("accessKeyId", KEY_ID).needed().changeable(),
                        form("secretAccessKey", SECRET).needed().hidden().changeable());
            case AZURE ->
                List.of(
                        provider,
                        form("containerName", CONTAINER).needed().changeable(),
                        form("connectionString", CONNECTION).needed().hidden().changeable());
        };
    }

    /** The short form of the addresses of its buckets, where they have addresses. */
    String scheme() {
        return this == AWS ? "s3" : "gs";
    }

    static Optional<BucketProvider> find(String word) {
        return List.of(values()).stream()
                .filter(provider -> provider.name().equals(word))
                .findFirst();
    }
}
