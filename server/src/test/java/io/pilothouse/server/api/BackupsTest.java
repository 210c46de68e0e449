package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Backups over the API: asked for, scheduled, read, restored, and kept after their service. */
class BackupsTest {
    private static final String NOWHERE = "00000000-0000-4000-8000-000000000000";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private String backups(JsonNode service) {
        return tenant.service(service) + "/backups";
    }

    private String configuration(JsonNode service) {
        return tenant.service(service) + "/backupConfiguration";
    }

    private JsonNode asked(JsonNode service) {
        return tenant.admin().post(backups(service), "{}").ok();
    }

    private JsonNode read(JsonNode service, JsonNode backup) {
        return tenant.admin()
                .get(backups(service) + "/" + backup.path("id").asString())
                .ok();
    }

    private static String id(JsonNode thing) {
        return thing.path("id").asString();
    }

    @Test
    void aBackupIsInProgressAndThenDone() {
        JsonNode service = tenant.running();
        JsonNode asked = asked(service);
        assertThat(asked.path("status").asString()).isEqualTo("in_progress");
        assertThat(asked.path("serviceId").asString()).isEqualTo(id(service));
        assertThat(asked.has("finishedAt")).isFalse();
        house.settle();
        JsonNode done = read(service, asked);
        assertThat(done.path("status").asString()).isEqualTo("done");
        assertThat(done.path("type").asString()).isEqualTo("full");
        assertThat(done.has("finishedAt")).isTrue();
        assertThat(done.has("sizeInBytes")).isTrue();
        assertThat(done.has("error")).isFalse();
        JsonNode second = asked(service);
        assertThat(tenant.admin().get(backups(service)).ok())
                .extracting(BackupsTest::id)
                .as("newest first")
                .containsExactly(id(second), id(asked));
    }

    @Test
    void aRunningServiceIsBackedUpByItself() {
        JsonNode service = tenant.running();
        house.letPass(Duration.ofHours(25));
        house.settle();
        JsonNode scheduled = tenant.admin().get(backups(service)).ok();
        assertThat(scheduled).hasSize(1);
        assertThat(scheduled.get(0).path("status").asString()).isEqualTo("done");
    }

    @Test
    void aBackupNeedsNoBodyAndPassesOverWhatIsInOne() {
        JsonNode service = tenant.running();
        tenant.admin().send("POST", backups(service), (String) null).ok();
        house.settle();
        tenant.admin().post(backups(service), "{'note': 'ours'}").ok();
        tenant.admin().post(backups(service), "[]").faultsAt("");
    }

    @Test
    void oneBackupAtATime() {
        JsonNode service = tenant.running();
        asked(service);
        ApiAnswer second = tenant.admin().post(backups(service), "{}");
        second.refused(409, "CONFLICT");
        house.settle();
        asked(service);
    }

    @Test
    void aServiceThatDoesNotRunIsNotBackedUp() {
        JsonNode service = tenant.made("{}");
        ApiAnswer answer = tenant.admin().post(backups(service), "{}");
        answer.refused(409, "CONFLICT");
        assertThat(answer.text()).contains("Current state: 'provisioning'");
        tenant.admin().get(configuration(service)).ok();
        assertThat(tenant.admin().get(backups(service)).ok()).isEmpty();
    }

    @Test
    void askingAgainUnderTheSameKeyIsAskingOnce() {
        JsonNode service = tenant.running();
        JsonNode first = tenant.admin()
                .with("Idempotency-Key", "once")
                .post(backups(service), "{}")
                .ok();
        JsonNode again = tenant.admin()
                .with("Idempotency-Key", "once")
                .post(backups(service), "{}")
                .ok();
        assertThat(again).isEqualTo(first);
    }

    @Test
    void theConfigurationBeginsWithADayAndADay() {
        JsonNode configuration =
                tenant.admin().get(configuration(tenant.made("{}"))).ok();
        assertThat(configuration.path("backupPeriodInHours").asInt()).isEqualTo(24);
        assertThat(configuration.path("backupRetentionPeriodInHours").asInt()).isEqualTo(24);
        assertThat(configuration.has("backupStartTime")).isFalse();
    }

    @Test
    void whoMayNotDeleteAServiceMayNotHaveItsBackupsGoEarlier() {
        JsonNode service = tenant.running();
        ApiCaller developer = tenant.as("developer");
        developer
                .patch(configuration(service), "{'backupRetentionPeriodInHours': 72}")
                .ok();
        developer
                .patch(configuration(service), "{'backupRetentionPeriodInHours': 48}")
                .refused(403, "FORBIDDEN");
        assertThat(developer
                        .get(configuration(service))
                        .ok()
                        .path("backupRetentionPeriodInHours")
                        .asInt())
                .isEqualTo(72);
        tenant.admin()
                .patch(configuration(service), "{'backupRetentionPeriodInHours': 48}")
                .ok();
    }

    @Test
    void theConfigurationComesBackAsItWasWrittenAndNullResetsIt() {
        JsonNode service = tenant.made("{}");
        JsonNode changed = tenant.admin()
                .patch(
                        configuration(service),
                        "{'backupPeriodInHours': 24, 'backupRetentionPeriodInHours': 168, 'backupStartTime': '2:00'}")
                .ok();
        assertThat(changed.path("backupStartTime").asString()).isEqualTo("2:00");
        ApiAnswer read = tenant.admin().get(configuration(service));
        assertThat(read.ok()).isEqualTo(changed);
        assertThat(tenant.admin()
                        .with("If-None-Match", read.need("etag"))
                        .get(configuration(service))
                        .status())
                .isEqualTo(304);
        tenant.admin()
                .with("If-Match", "\"other\"")
                .patch(configuration(service), "{'backupStartTime': '3:00'}")
                .refused(412, "PRECONDITION_FAILED");
        JsonNode reset = tenant.admin()
                .patch(configuration(service), "{'backupRetentionPeriodInHours': null, 'backupStartTime': null}")
                .ok();
        assertThat(reset.path("backupRetentionPeriodInHours").asInt()).isEqualTo(24);
        assertThat(reset.has("backupStartTime")).isFalse();
        assertThat(tenant.admin().patch(configuration(service), "{}").ok()).isEqualTo(reset);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'backupPeriodInHours': 0} | backupPeriodInHours",
                "{'backupPeriodInHours': 1.5} | backupPeriodInHours",
                "{'backupPeriodInHours': '24'} | backupPeriodInHours",
                "{'backupRetentionPeriodInHours': 25} | backupRetentionPeriodInHours",
                "{'backupRetentionPeriodInHours': 1104} | backupRetentionPeriodInHours",
                "{'backupStartTime': '25:00'} | backupStartTime",
                "{'backupStartTime': 2} | backupStartTime",
                "{'backupPeriodInHours': 12, 'backupStartTime': '2:00'} | backupPeriodInHours"
            })
    void aConfigurationThatCannotBeIsRefused(String body, String path) {
        tenant.admin().patch(configuration(tenant.made("{}")), body).faultsAt(path);
    }

    @Test
    void aSecondaryServiceHasNoBackupsOfItsOwn() {
        JsonNode primary = tenant.running();
        JsonNode secondary = tenant.made(
                "{'dataWarehouseId': '" + primary.path("dataWarehouseId").asString() + "'}");
        house.settle();
        tenant.admin().get(configuration(secondary)).faultsAt("path.serviceId");
        tenant.admin().patch(configuration(secondary), "{}").faultsAt("path.serviceId");
        tenant.admin().post(backups(secondary), "{}").faultsAt("path.serviceId");
        assertThat(tenant.admin().get(backups(secondary)).ok()).isEmpty();
    }

    private static String restoring(JsonNode backup, String more) {
        return "{'backupId': '" + id(backup) + "'" + more + "}";
    }

    @Test
    void aFinishedBackupIsRestoredIntoANewService() {
        JsonNode service = tenant.running();
        JsonNode backup = asked(service);
        tenant.create(restoring(backup, "")).faultsAt("backupId");
        house.settle();
        JsonNode restored = tenant.made(restoring(backup, ""));
        house.settle();
        assertThat(tenant.get(restored).path("state").asString()).isEqualTo("running");
        tenant.create(restoring(backup, ", 'region': 'eu-west-1'")).faultsAt("backupId");
        tenant.create(restoring(backup, ", 'tier': 'production'")).faultsAt("backupId");
        tenant.create(restoring(backup, ", 'dataWarehouseId': '" + id(service) + "'"))
                .faultsAt("backupId");
        house.tenant().create(restoring(backup, "")).faultsAt("backupId");
        tenant.create("{'backupId': '" + NOWHERE + "'}").faultsAt("backupId");
    }

    @Test
    void aBackupAloneSaysWhereAndAsWhatItsDataWas() {
        JsonNode service = tenant.made("{'region': 'europe-west4', 'tier': 'production'}");
        house.settle();
        JsonNode backup = asked(service);
        house.settle();
        for (String more : List.of("", ", 'provider': 'gcp'", ", 'region': 'europe-west4'", ", 'tier': 'production'")) {
            JsonNode restored = tenant.made(restoring(backup, more));
            assertThat(restored.path("provider").asString()).isEqualTo("gcp");
            assertThat(restored.path("region").asString()).isEqualTo("europe-west4");
            assertThat(restored.path("tier").asString()).isEqualTo("production");
        }
        tenant.create(restoring(backup, ", 'provider': 'aws'")).faultsAt("backupId");
        tenant.create(restoring(backup, ", 'region': 'us-east-1'")).faultsAt("backupId");
        tenant.create(restoring(backup, ", 'tier': 'development'")).faultsAt("backupId");
    }

    @Test
    void theBackupsOfADeletedServiceAreThereUntilTheirTimeIsUp() {
        JsonNode service = tenant.running();
        tenant.admin()
                .patch(configuration(service), "{'backupRetentionPeriodInHours': 48}")
                .ok();
        JsonNode backup = asked(service);
        house.settle();
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        tenant.admin().get(tenant.service(service)).refused(404, "NOT_FOUND");
        assertThat(tenant.admin().get(backups(service)).ok())
                .extracting(BackupsTest::id)
                .containsExactly(id(backup));
        assertThat(read(service, backup).path("status").asString()).isEqualTo("done");
        Tenant stranger = house.tenant();
        stranger.admin().get(stranger.service(service) + "/backups").refused(404, "NOT_FOUND");
        JsonNode restored = tenant.made(restoring(backup, ""));
        house.settle();
        assertThat(tenant.get(restored).path("state").asString()).isEqualTo("running");
        house.letPass(Duration.ofHours(47));
        assertThat(tenant.admin().get(backups(service)).ok()).hasSize(1);
        house.letPass(Duration.ofHours(2));
        tenant.admin().get(backups(service)).refused(404, "NOT_FOUND");
        tenant.create(restoring(backup, "")).faultsAt("backupId");
    }

    @Test
    void aMissingBackupIsNotFound() {
        JsonNode service = tenant.made("{}");
        ApiAnswer answer = tenant.admin().get(backups(service) + "/" + NOWHERE);
        answer.refused(404, "NOT_FOUND");
        assertThat(answer.text()).contains("Backup not found");
        tenant.admin().get(backups(service) + "/x").faultsAt("path.backupId");
    }

    @Test
    void aListOfAnyLengthIsAnswered() {
        JsonNode service = tenant.running();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.addFirst(id(asked(service)));
            house.settle();
        }
        assertThat(tenant.admin().get(backups(service)).ok())
                .extracting(BackupsTest::id)
                .isEqualTo(all);
    }

    @Test
    void everyChangeLeavesItsActivity() {
        JsonNode service = tenant.running();
        asked(service);
        tenant.admin()
                .patch(configuration(service), "{'backupStartTime': '2:00'}")
                .ok();
        List<String> types = new ArrayList<>();
        tenant.admin()
                .get(tenant.path() + "/activities")
                .ok()
                .forEach(line -> types.add(line.path("type").asString()));
        assertThat(types).contains("backup_create", "service_update_backup_configuration");
    }
}
