package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The bucket that a service's backups go to, over the API; the simulated plane moves no bytes. */
class BackupBucketTest {
    private static final String GCP =
            "{'bucketProvider': 'GCP', 'bucketPath': 'gs://ours/nightly', 'accessKeyId': 'GOOG1', 'secretAccessKey': 'hidden-one'}";
    private static final String ROLE = "arn:aws:iam::123456789012:role/backups";
    private static final String AWS_ROLE =
            "{'bucketProvider': 'AWS', 'bucketPath': 'https://ours.s3.eu-west-1.amazonaws.com', 'iamRoleArn': '" + ROLE
                    + "', 'iamRoleSessionName': 'nightly'}";
    private static final String AZURE =
            "{'bucketProvider': 'AZURE', 'containerName': 'ours', 'connectionString': 'AccountName=ours;AccountKey=aGlkZGVu'}";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();
    private final String path = tenant.service(service) + "/backupBucket";

    private JsonNode made(String body) {
        return tenant.admin().post(path, body).ok();
    }

    private JsonNode backedUp() {
        String backups = tenant.service(service) + "/backups";
        String id = tenant.admin().post(backups, "{}").ok().path("id").asString();
        house.settle();
        return tenant.admin().get(backups + "/" + id).ok();
    }

    private List<JsonNode> backups() {
        return tenant.admin()
                .get(tenant.service(service) + "/backups")
                .ok()
                .valueStream()
                .toList();
    }

    @Test
    void itIsThereFromWhenItIsSetUntilItIsDeleted() {
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
        assertThat(tenant.admin().patch(path, GCP).status()).isEqualTo(404);
        assertThat(tenant.admin().delete(path).status()).isEqualTo(404);
        ApiAnswer made = tenant.admin().post(path, GCP);
        assertThat(made.text()).doesNotContain("hidden-one");
        assertThat(made.ok().path("bucketPath").asString()).isEqualTo("gs://ours/nightly");
        assertThat(tenant.admin().get(path).ok()).isEqualTo(made.ok());
        tenant.admin().delete(path).ok();
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
    }

    @Test
    void aServiceHasOneAtATime() {
        JsonNode made = made(GCP);
        tenant.admin().post(path, AWS_ROLE).refused(409, "CONFLICT");
        assertThat(tenant.admin().get(path).ok()).isEqualTo(made);
    }

    @Test
    void everyProviderHasFieldsOfItsOwn() {
        assertThat(made(AWS_ROLE).path("iamRoleSessionName").asString()).isEqualTo("nightly");
        tenant.admin().delete(path).ok();
        JsonNode azure = made(AZURE);
        assertThat(azure.path("containerName").asString()).isEqualTo("ours");
        assertThat(azure.has("bucketPath")).isFalse();
    }

    @Test
    void aChangeKeepsWhatItDoesNotNameButNeedsTheSecrets() {
        JsonNode made = made(GCP);
        tenant.admin()
                .patch(path, "{'bucketProvider': 'GCP', 'accessKeyId': 'GOOG2'}")
                .faultsAt("secretAccessKey");
        JsonNode changed = tenant.admin()
                .patch(path, "{'bucketProvider': 'GCP', 'accessKeyId': 'GOOG2', 'secretAccessKey': 'other'}")
                .ok();
        assertThat(changed.path("bucketPath")).isEqualTo(made.path("bucketPath"));
        assertThat(changed.path("accessKeyId").asString()).isEqualTo("GOOG2");
        assertThat(changed.path("id")).isEqualTo(made.path("id"));
    }

    @Test
    void anotherProviderNeedsAllOfItsFields() {
        JsonNode made = made(GCP);
        tenant.admin().patch(path, "{'bucketProvider': 'AZURE'}").faultsAt("containerName", "connectionString");
        JsonNode changed = tenant.admin().patch(path, AZURE).ok();
        assertThat(changed.path("id")).isEqualTo(made.path("id"));
        assertThat(changed.has("bucketPath")).isFalse();
    }

    @Test
    void aRoleAndAKeyTakeEachOthersPlace() {
        made(AWS_ROLE);
        JsonNode key = tenant.admin()
                .patch(path, "{'bucketProvider': 'AWS', 'accessKeyId': 'AKIA1', 'secretAccessKey': 'hidden'}")
                .ok();
        assertThat(key.has("iamRoleArn")).isFalse();
        assertThat(key.has("iamRoleSessionName")).isFalse();
        JsonNode role = tenant.admin()
                .patch(path, "{'bucketProvider': 'AWS', 'iamRoleArn': '" + ROLE + "'}")
                .ok();
        assertThat(role.has("accessKeyId")).isFalse();
        assertThat(role.path("iamRoleArn").asString()).isEqualTo(ROLE);
    }

    @Test
    void aSessionNameIsTakenBackWithNull() {
        made(AWS_ROLE);
        JsonNode changed = tenant.admin()
                .patch(path, "{'bucketProvider': 'AWS', 'iamRoleSessionName': null}")
                .ok();
        assertThat(changed.has("iamRoleSessionName")).isFalse();
        assertThat(changed.path("iamRoleArn").asString()).isEqualTo(ROLE);
    }

    @Test
    void everyChangeLeavesAnActivityAndTheSameAgainLeavesNone() {
        made(GCP);
        tenant.admin().patch(path, GCP).ok();
        tenant.admin().patch(path, GCP.replace("GOOG1", "GOOG2")).ok();
        tenant.admin().delete(path).ok();
        List<String> types = tenant.admin()
                .get(tenant.path() + "/activities")
                .ok()
                .valueStream()
                .map(line -> line.path("type").asString())
                .filter(type -> type.startsWith("service_backup_bucket"))
                .toList();
        assertThat(types)
                .containsExactlyInAnyOrder(
                        "service_backup_bucket_create", "service_backup_bucket_update", "service_backup_bucket_delete");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | bucketProvider",
                "{'bucketProvider': 'aws'} | bucketProvider",
                "{'bucketProvider': 'GCP'} | bucketPath, accessKeyId, secretAccessKey",
                "{'bucketProvider': 'AZURE'} | containerName, connectionString",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours'} | iamRoleArn",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'accessKeyId': 'a'} | secretAccessKey",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'secretAccessKey': 'a'} | accessKeyId",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b', 'iamRoleSessionName': 'ab'} | iamRoleSessionName",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b', 'iamRoleArn': 'arn:aws:iam::123456789012:role/r'} | accessKeyId",
                "{'bucketProvider': 'AWS', 'bucketPath': 'gs://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'} | bucketPath",
                "{'bucketProvider': 'AWS', 'bucketPath': 'http://10.1.2.3:9000/ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'} | bucketPath",
                "{'bucketProvider': 'AWS', 'bucketPath': 'http://[::1]/ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'} | bucketPath",
                "{'bucketProvider': 'AZURE', 'containerName': 'ours', 'connectionString': 'secret'} | connectionString",
                "{'bucketProvider': 'AZURE', 'containerName': 'ours', 'connectionString': 'AccountName=ours;AccountKey=c2VjcmV0;BlobEndpoint=http://10.1.2.3/ours'} | connectionString"
            })
    void whatIsNoBucketIsRefused(String body, String faults) {
        ApiAnswer answer = tenant.admin().post(path, body);
        answer.faultsAt(faults.split(", ", -1));
        assertThat(answer.text()).doesNotContain("c2VjcmV0");
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
    }

    @Test
    void onlyThePrimaryServiceOfAWarehouseHasOne() {
        JsonNode second = tenant.made(
                "{'dataWarehouseId': '" + service.path("dataWarehouseId").asString() + "'}");
        tenant.admin().post(tenant.service(second) + "/backupBucket", GCP).faultsAt("path.serviceId");
    }

    @Test
    void aBackupShowsTheBucketThatItWentTo() {
        assertThat(backedUp().has("bucket")).as("without a bucket").isFalse();
        JsonNode bucket = made(GCP);
        JsonNode backup = backedUp();
        assertThat(backup.path("status").asString()).isEqualTo("done");
        assertThat(backup.at("/bucket/bucketPath")).isEqualTo(bucket.path("bucketPath"));
        assertThat(backup.at("/bucket").has("id")).isFalse();
        assertThat(backup.path("backupName").asString())
                .isEqualTo(
                        service.path("id").asString() + "/" + backup.path("id").asString() + ".tar.gz");
        assertThat(backups().get(1).has("bucket")).isFalse();
    }

    @Test
    void aBackupStaysWhereItIsWhenTheBucketIsMovedOrDeleted() {
        made(GCP);
        JsonNode first = backedUp();
        tenant.admin().patch(path, GCP.replace("ours", "elsewhere")).ok();
        JsonNode second = backedUp();
        tenant.admin().delete(path).ok();
        assertThat(backups().stream()
                        .map(backup -> backup.at("/bucket/bucketPath").asString()))
                .containsExactly("gs://elsewhere/nightly", "gs://ours/nightly");
        assertThat(backups().stream().map(backup -> backup.path("id")))
                .containsExactly(second.path("id"), first.path("id"));
    }

    @Test
    void newCredentialsHoldForTheBackupsThatLieThereToo() {
        made(GCP);
        backedUp();
        tenant.admin()
                .patch(path, "{'bucketProvider': 'GCP', 'accessKeyId': 'GOOG2', 'secretAccessKey': 'new'}")
                .ok();
        assertThat(backups().getFirst().at("/bucket/accessKeyId").asString()).isEqualTo("GOOG2");
    }

    @Test
    void theBackupsOfADeletedServiceShowTheirBucketUntilTheirTimeIsUp() {
        made(GCP);
        backedUp();
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        assertThat(backups().getFirst().at("/bucket/bucketPath").asString()).isEqualTo("gs://ours/nightly");
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
        house.letPass(Duration.ofHours(25));
        house.settle();
        assertThat(tenant.admin().get(tenant.service(service) + "/backups").status())
                .isEqualTo(404);
    }
}
