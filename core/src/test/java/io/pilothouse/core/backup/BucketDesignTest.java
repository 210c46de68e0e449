package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.core.service.Given;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a bucket is made of, and what opens it. */
class BucketDesignTest {
    private static final String ROLE = "arn:aws:iam::123456789012:role/backups";
    private final Faults faults = new Faults();

    private static Tree.Members members(String... pairs) {
        Map<String, Tree> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(pairs[i], new Tree.Text(pairs[i + 1]));
        }
        return new Tree.Members(values);
    }

    private static Tree.Members aws(String... pairs) {
        return members("bucketProvider", "AWS", "bucketPath", "s3://ours").over(members(pairs));
    }

    private static Tree.Members azure(String connection) {
        return members("bucketProvider", "AZURE", "containerName", "ours", "connectionString", connection);
    }

    private BucketDesign design(Tree.Members given) {
        return BucketDesign.of(given, host -> !host.startsWith("10."), faults);
    }

    @Test
    void aKeyOpensABucketOfGoogleOrAmazon() {
        BucketDesign design = design(aws("accessKeyId", "AKIA1", "secretAccessKey", "hidden"));
        assertThat(faults.list()).isEmpty();
        assertThat(design.fields().has("secretAccessKey")).isFalse();
        assertThat(design.access("ours"))
                .isInstanceOfSatisfying(
                        BucketAccess.S3.class,
                        access -> assertThat(access.login())
                                .isEqualTo(new BucketAccess.Login.Key("AKIA1", "hidden", null)));
        assertThat(design.toString() + design.access("ours")).doesNotContain("hidden");
        BucketDesign google = design(members(
                "bucketProvider", "GCP", "bucketPath", "gs://ours", "accessKeyId", "GOOG1", "secretAccessKey", "h"));
        assertThat(google.access("ours")).isInstanceOf(BucketAccess.S3.class);
    }

    @Test
    void aRoleHasASessionNameOfItsOwnOrOurs() {
        assertThat(design(aws("iamRoleArn", ROLE)).access("ours"))
                .isInstanceOfSatisfying(
                        BucketAccess.S3.class,
                        access -> assertThat(access.login())
                                .isEqualTo(new BucketAccess.Login.Role(ROLE, "pilothouse-backups", "ours")));
        assertThat(design(aws("iamRoleArn", ROLE, "iamRoleSessionName", "nightly"))
                        .access("ours"))
                .isInstanceOfSatisfying(
                        BucketAccess.S3.class,
                        access -> assertThat(access.login())
                                .isEqualTo(new BucketAccess.Login.Role(ROLE, "nightly", "ours")));
        assertThat(faults.list()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "AccountName=ours;AccountKey=a2V5, https://ours.blob.core.windows.net",
        "DefaultEndpointsProtocol=http;AccountName=ours;AccountKey=a2V5;EndpointSuffix=store.example, http://ours.blob.store.example",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=https://store.example:10000/ours/;, https://store.example:10000/ours"
    })
    void aConnectionStringSaysWhereAContainerIs(String connection, String endpoint) {
        assertThat(design(azure(connection)).access("ours"))
                .isInstanceOfSatisfying(BucketAccess.Azure.class, access -> {
                    assertThat(access.endpoint()).hasToString(endpoint);
                    assertThat(access.account()).isEqualTo("ours");
                    assertThat(access.key()).isEqualTo("a2V5");
                    assertThat(access.toString()).doesNotContain("a2V5");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, 'must hold AccountName and AccountKey, with semicolons between'",
        "AccountName=ours, 'must hold AccountName and AccountKey, with semicolons between'",
        "AccountName=ours;AccountKey=*, 'must hold AccountName and AccountKey, with semicolons between'",
        "AccountName=Ours!;AccountKey=a2V5, 'must hold AccountName and AccountKey, with semicolons between'",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=ftp://x, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=http:/x, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=http://u@x, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=http://x?y, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=http://x:65536, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=[, must name an endpoint that is the address of a web server",
        "AccountName=ours;AccountKey=a2V5;BlobEndpoint=http://10.0.0.1, 'must not lead to a private, local or reserved address'"
    })
    void aConnectionStringThatLeadsNowhereIsRefusedUnquoted(String connection, String message) {
        design(azure(connection));
        assertThat(faults.list()).containsExactly(new Fault("connectionString", message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | bucketProvider",
                "bucketProvider=aws | bucketProvider",
                "bucketProvider=GCP | bucketPath, accessKeyId, secretAccessKey",
                "bucketProvider=AZURE | containerName, connectionString",
                "bucketProvider=AWS;bucketPath=s3://ours | iamRoleArn",
                "bucketProvider=AWS;bucketPath=s3://ours;accessKeyId=a | secretAccessKey",
                "bucketProvider=AWS;bucketPath=s3://ours;accessKeyId=a;secretAccessKey=b c | secretAccessKey",
                "bucketProvider=AWS;bucketPath=s3://ours;secretAccessKey=a | accessKeyId",
                "bucketProvider=AWS;bucketPath=s3://ours;accessKeyId=a b;secretAccessKey=a | accessKeyId",
                "bucketProvider=AWS;bucketPath=s3://ours;accessKeyId=a;secretAccessKey=b;iamRoleSessionName=ab | iamRoleSessionName",
                "bucketProvider=AWS;bucketPath=s3://ours;accessKeyId=a;secretAccessKey=b;iamRoleArn=arn:aws:iam::123456789012:role/r | accessKeyId",
                "bucketProvider=AWS;bucketPath=s3://ours;iamRoleArn=r | iamRoleArn"
            })
    void whatIsMissingOrTooMuchIsNamed(String given, String names) {
        Tree.Members read = Tree.Members.NONE;
        for (String pair : given == null ? new String[0] : given.split(";", -1)) {
            read = read.with(
                    pair.substring(0, pair.indexOf('=')), new Tree.Text(pair.substring(pair.indexOf('=') + 1)));
        }
        design(read);
        assertThat(faults.list()).extracting(Fault::path).containsExactly(names.split(", ", -1));
    }

    @Test
    void itsSecretsAreSealedAndOpenAgain() {
        Vault vault = new Vault(VaultKeys.generate(new SecureRandom()), new SecureRandom());
        UUID id = UUID.randomUUID();
        BackupBucket bucket = BackupBucket.of(
                Given.service(),
                id,
                design(aws("accessKeyId", "AKIA1", "secretAccessKey", "hidden")),
                vault,
                Given.NOON);
        assertThat(bucket.sealedSecrets()).isNotNull().doesNotContain("hidden");
        assertThat(bucket.secrets(vault)).isEqualTo(members("secretAccessKey", "hidden"));
        assertThat(bucket.toString()).isEqualTo("BackupBucket[AWS]");
        assertThat(bucket.shown().text("accessKeyId")).contains("AKIA1");
        assertThat(bucket.retired().current()).isFalse();
        BackupBucket byRole = bucket.with(design(aws("iamRoleArn", ROLE)), vault);
        assertThat(byRole.access(vault))
                .isInstanceOfSatisfying(
                        BucketAccess.S3.class,
                        access -> assertThat(access.login())
                                .isEqualTo(new BucketAccess.Login.Role(
                                        ROLE,
                                        "pilothouse-backups",
                                        "pilothouse:" + byRole.organizationId() + ":service/" + byRole.serviceId())));
        assertThat(byRole.sealedSecrets()).isNull();
        assertThat(byRole.secrets(vault)).isEqualTo(Tree.Members.NONE);
        assertThat(byRole.withSealedSecrets("v1.other").sealedSecrets()).isEqualTo("v1.other");
    }

    @Test
    void aPlaceIsTheSameWhoeverOpensIt() {
        BucketDesign design = design(aws("accessKeyId", "AKIA1", "secretAccessKey", "hidden"));
        assertThat(design.isWhere(aws("iamRoleArn", ROLE))).isTrue();
        assertThat(design.isWhere(aws("bucketPath", "s3://theirs"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "accessKeyId, AKIA2, secretAccessKey, b, AKIA2, -",
                "iamRoleArn, arn:aws:iam::123456789012:role/a, -, -, -, arn:aws:iam::123456789012:role/a"
            })
    void oneLoginTakesThePlaceOfTheOther(
            String name, String value, String second, String secret, String keyId, String role) {
        Tree.Members one = members("bucketProvider", "AWS", name, value);
        Tree.Members given = second == null ? one : one.over(members(second, secret));
        for (Tree.Members before : new Tree.Members[] {
            aws("accessKeyId", "AKIA1"),
            aws("iamRoleArn", ROLE, "iamRoleSessionName", "nightly").with("accessKeyId", null)
        }) {
            Faults found = new Faults();
            BucketDesign next = BucketDesign.change(before, given, _ -> true, found);
            assertThat(found.list()).isEmpty();
            assertThat(next.fields().text("accessKeyId").orElse(null)).isEqualTo(keyId);
            assertThat(next.fields().text("iamRoleArn").orElse(null)).isEqualTo(role);
        }
    }

    @Test
    void twoLoginsAtOnceAreRefusedInAChangeToo() {
        BucketDesign.change(
                aws("iamRoleArn", ROLE),
                aws("iamRoleArn", ROLE, "accessKeyId", "AKIA1", "secretAccessKey", "b"),
                _ -> true,
                faults);
        assertThat(faults.list()).containsExactly(new Fault("accessKeyId", "does not go with iamRoleArn"));
    }

    @Test
    void aChangeNamesTheProviderAndMayMoveTheBucket() {
        Tree.Members before = aws("iamRoleArn", ROLE);
        BucketDesign next = BucketDesign.change(
                before, members("bucketProvider", "AWS", "bucketPath", "s3://theirs"), _ -> true, faults);
        assertThat(next.fields()).isEqualTo(aws("bucketPath", "s3://theirs", "iamRoleArn", ROLE));
        BucketDesign.change(before, members("bucketPath", "s3://theirs"), _ -> true, faults);
        assertThat(faults.list()).containsExactly(new Fault("bucketProvider", "is required"));
    }
}
