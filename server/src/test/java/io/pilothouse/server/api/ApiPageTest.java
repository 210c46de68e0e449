package io.pilothouse.server.api;

import static io.pilothouse.http.api.Operation.activityGet;
import static io.pilothouse.http.api.Operation.activityGetList;
import static io.pilothouse.http.api.Operation.backupBucketCreate;
import static io.pilothouse.http.api.Operation.backupBucketDelete;
import static io.pilothouse.http.api.Operation.backupBucketGet;
import static io.pilothouse.http.api.Operation.backupBucketUpdate;
import static io.pilothouse.http.api.Operation.backupConfigurationGet;
import static io.pilothouse.http.api.Operation.backupConfigurationUpdate;
import static io.pilothouse.http.api.Operation.backupCreate;
import static io.pilothouse.http.api.Operation.backupGet;
import static io.pilothouse.http.api.Operation.backupGetList;
import static io.pilothouse.http.api.Operation.clickPipeCdcScalingGet;
import static io.pilothouse.http.api.Operation.clickPipeCdcScalingUpdate;
import static io.pilothouse.http.api.Operation.clickPipeCreate;
import static io.pilothouse.http.api.Operation.clickPipeDelete;
import static io.pilothouse.http.api.Operation.clickPipeErrorsReplay;
import static io.pilothouse.http.api.Operation.clickPipeErrorsReplayGet;
import static io.pilothouse.http.api.Operation.clickPipeGet;
import static io.pilothouse.http.api.Operation.clickPipeGetList;
import static io.pilothouse.http.api.Operation.clickPipeOffsetsGet;
import static io.pilothouse.http.api.Operation.clickPipeOffsetsUpdate;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointCreate;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointDelete;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointGet;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointGetList;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointUpdate;
import static io.pilothouse.http.api.Operation.clickPipeScalingUpdate;
import static io.pilothouse.http.api.Operation.clickPipeSchemaDiscovery;
import static io.pilothouse.http.api.Operation.clickPipeSettingsGet;
import static io.pilothouse.http.api.Operation.clickPipeSettingsUpdate;
import static io.pilothouse.http.api.Operation.clickPipeStateUpdate;
import static io.pilothouse.http.api.Operation.clickPipeUpdate;
import static io.pilothouse.http.api.Operation.instanceCreate;
import static io.pilothouse.http.api.Operation.instanceDelete;
import static io.pilothouse.http.api.Operation.instanceGet;
import static io.pilothouse.http.api.Operation.instanceGetList;
import static io.pilothouse.http.api.Operation.instancePasswordUpdate;
import static io.pilothouse.http.api.Operation.instancePrivateEndpointConfigGet;
import static io.pilothouse.http.api.Operation.instancePrivateEndpointCreate;
import static io.pilothouse.http.api.Operation.instancePrometheusGet;
import static io.pilothouse.http.api.Operation.instanceQueryEndpointDelete;
import static io.pilothouse.http.api.Operation.instanceQueryEndpointGet;
import static io.pilothouse.http.api.Operation.instanceQueryEndpointUpsert;
import static io.pilothouse.http.api.Operation.instanceReplicaScalingUpdate;
import static io.pilothouse.http.api.Operation.instanceScalingUpdate;
import static io.pilothouse.http.api.Operation.instanceStateUpdate;
import static io.pilothouse.http.api.Operation.instanceTimelineGet;
import static io.pilothouse.http.api.Operation.instanceUpdate;
import static io.pilothouse.http.api.Operation.openapiGet;
import static io.pilothouse.http.api.Operation.openapiKeyGetList;
import static io.pilothouse.http.api.Operation.organizationByocInfrastructureCreate;
import static io.pilothouse.http.api.Operation.organizationByocInfrastructureDelete;
import static io.pilothouse.http.api.Operation.organizationByocInfrastructureUpdate;
import static io.pilothouse.http.api.Operation.organizationCreate;
import static io.pilothouse.http.api.Operation.organizationGet;
import static io.pilothouse.http.api.Operation.organizationGetList;
import static io.pilothouse.http.api.Operation.organizationPrivateEndpointConfigGetList;
import static io.pilothouse.http.api.Operation.organizationPrometheusDiscoveryGet;
import static io.pilothouse.http.api.Operation.organizationPrometheusGet;
import static io.pilothouse.http.api.Operation.organizationQuotaGet;
import static io.pilothouse.http.api.Operation.organizationQuotasGetList;
import static io.pilothouse.http.api.Operation.organizationUpdate;
import static io.pilothouse.http.api.Operation.scalingScheduleDelete;
import static io.pilothouse.http.api.Operation.scalingScheduleGet;
import static io.pilothouse.http.api.Operation.scalingScheduleUpsert;
import static io.pilothouse.http.api.Operation.serviceClickhouseSettingDelete;
import static io.pilothouse.http.api.Operation.serviceClickhouseSettingGet;
import static io.pilothouse.http.api.Operation.serviceClickhouseSettingsListGet;
import static io.pilothouse.http.api.Operation.serviceClickhouseSettingsSchemaGet;
import static io.pilothouse.http.api.Operation.serviceClickhouseSettingsUpdate;
import static io.pilothouse.http.api.Operation.upgradeWindowDelete;
import static io.pilothouse.http.api.Operation.upgradeWindowGet;
import static io.pilothouse.http.api.Operation.upgradeWindowUpdate;
import static io.pilothouse.http.api.Operation.usageCostGet;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.http.api.Operation;
import io.pilothouse.server.webhook.WebhookReceiver;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** docs/api.md shows what the program answers: it is made by this run, and a page that is out of date fails. */
class ApiPageTest {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(20);

    @RegisterExtension
    static final House house = House.start();

    private final ApiPageText shown = new ApiPageText();
    private final ApiPage page = new ApiPage(house, shown);

    @Test
    void thePageShowsWhatEveryOperationAnswers() throws IOException, InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            shown.show(receiver.url(), "https://hooks.example.org/on-call");
            shown.show(house.alertsUrl(), "http://127.0.0.1:8081");
            shown.show(house.authority(), "127.0.0.1:8080");
            page.words("""
                    # The API, with real requests and answers

                    Every example below is what a running Pilothouse answered: a test makes this page, and fails when an answer is
                    another one. What is secret is shown as `…`, and `"…": "as before"` stands for the members of a thing that are as
                    they were last shown. Requests carry `Authorization: Basic <key id:key secret>` and, with a body,
                    `Content-Type: application/json`. The whole contract is served at `/openapi.json`.

                    ## Of every operation
                    - Success is HTTP 200 with `{status, requestId, result}`; a deletion has no `result`. `requestId` is also in the header `X-Request-Id`.
                    - A refusal is `{status, error, requestId}`, and `details` with a path and a message for every fault of a bad request. `Accept: application/problem+json` gives RFC 9457.
                    - `Idempotency-Key` on a POST: the same key and request give the same answer again for 24 hours; another request under the same key is a 422.
                    - When the answer to the creation of a service cannot be delivered (the connection was cut before it was written), the same request of the same key is given that answer within 10 minutes, password included, marked `Idempotency-Replayed`. An answer that was delivered is not: two equal creations make two services.
                    - Reading one thing gives an `ETag`; `If-None-Match` then answers 304, and `If-Match` on a PATCH, PUT or DELETE 412 when the thing has changed.
                    - With `--rate-limit N`, a key that asks more than N times in a minute gets a 429 until the minute is over: `Retry-After` and `X-RateLimit-Reset` say in how many seconds. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` are on every answer then, also on those of the alerts interface.
                    - Order of checks: credentials (401), limit (429), organization (404), permission (403), the request itself (415, 413, 400), the thing (404), its state (409, 424).
                    - A body is at most 1 MiB and 64 levels deep. Fields that no operation knows are ignored, whatever they hold. Beyond the contract, these of the live API are known and checked: `tags`, `minReplicas`, `maxReplicas`, `autoscalingMode` and `enableCoreDumps` of a service.
                    - A path may end with a slash. HTTP/1.0 is served, one request on a connection. An answer that shows a secret has `Cache-Control: no-store`.""");
            page.words(limits());
            page.of(openapiGet).abridged();
            page.of(organizationGetList)
                    .named("Without credentials")
                    .saying("Wrong, disabled and expired ones are answered with the same words.")
                    .asNobody()
                    .refused(401);
            organizations();
            services();
            backups();
            pipes();
            new ApiPageAccess(page).write();
            records();
            new ApiPageAlerts(page, receiver).write();
        }
        assertThat(page.done()).as("the operations on the page").isEqualTo(served());
        GeneratedPage.requireUpToDate("api.md", page.toString());
    }

    private static String limits() {
        return String.format(
                Locale.ROOT,
                """
                ## Limits beyond the contract
                | What | May be |
                |---|---|
                | name of a service | 1 to %d letters with their combining marks, digits and white space as Unicode defines it; not white space alone |
                | `encryptionKey`, `encryptionAssumedRoleIdentifier` | 1 to %,d printable characters |
                | ids of private endpoints, `byocId`, `transparentDataEncryptionKeyId`, other identifiers | 1 to %d printable characters |
                | names of organizations, keys and tokens | 1 to %d printable characters |
                | descriptions of access entries and private endpoints | up to %d characters |
                | `ipAccessList`, lists of private endpoints and tags | up to %,d entries |
                | `idleTimeoutMinutes` | a whole number, %.0f to %.0f; a hundred years and more is never |
                | `tier` | `development` alone takes no sizes and no `releaseChannel`; every other tier scales |""",
                RuleBook.of(Edition.SEED).serviceName().maxLength(),
                RuleBook.ENCRYPTION_IDENTIFIER.maxLength(),
                RuleBook.IDENTIFIER.maxLength(),
                RuleBook.DISPLAY_NAME.maxLength(),
                RuleBook.DESCRIPTION.maxLength(),
                RuleBook.IP_ACCESS_LIST.max(),
                RuleBook.IDLE_TIMEOUT_MINUTES.min(),
                RuleBook.IDLE_TIMEOUT_MINUTES.max());
    }

    private static Set<Operation> served() {
        return Stream.concat(house.entrances().stream(), house.alertsEntrances().stream())
                .map(entrance -> Operation.valueOf(entrance.operationId()))
                .collect(Collectors.toSet());
    }

    private void organizations() {
        page.section("Organizations");
        page.of(organizationGetList).answered();
        page.of(organizationGet).answered();
        page.of(organizationUpdate).answered();
        page.of(organizationCreate).answered();
        page.of(organizationByocInfrastructureCreate).keep("byocInfrastructureId", "/id");
        page.of(organizationByocInfrastructureUpdate).answered();
        page.of(organizationByocInfrastructureDelete).answered();
        page.is("quotaCode", page.of(organizationQuotasGetList).answered().at("/0/quotaCode"));
        page.of(organizationQuotaGet).answered();
    }

    private void services() {
        page.section("Services");
        page.of(instanceCreate).keep("serviceId", "/service/id");
        page.letPass(LONG_ENOUGH);
        page.of(instanceGet).answered();
        page.of(instanceTimelineGet).answered();
        page.of(instanceCreate).named("A request with faults").body("""
                        {'name': 'no_good', 'numReplicas': 1, 'idleTimeoutMinutes': 2,
                         'ipAccessList': [{'source': 'somewhere'}]}""").refused(400);
        page.of(instanceUpdate).answered();
        page.of(instanceUpdate)
                .named("An update that comes too late")
                .saying("With `If-Match`, nothing is written over a change that the caller has not seen.")
                .with("If-Match", "\"the ETag of an older answer\"")
                .refused(412);
        page.of(instanceGetList)
                .named("List services with a tag")
                .query("filter=tag:team=data")
                .answered();
        page.of(instanceReplicaScalingUpdate).answered();
        page.of(instanceScalingUpdate).answered();
        page.of(instancePasswordUpdate)
                .named("Make another password")
                .body("{}")
                .answered();
        page.of(instancePasswordUpdate).named("Set a password by its hashes").answered();
        page.of(instancePrivateEndpointCreate).answered();
        page.of(instancePrivateEndpointConfigGet).answered();
        page.of(organizationPrivateEndpointConfigGetList)
                .query("cloud_provider=aws&region_id=eu-west-1")
                .answered();
        page.of(instanceDelete).named("Delete a service that runs").refused(409);
        page.of(instanceStateUpdate).answered();
        page.letPass(LONG_ENOUGH);
        page.of(clickPipeCreate).named("Ask for what needs a running service").refused(424);
        page.of(instanceDelete).answered();
    }

    private void backups() {
        page.section("Backups");
        page.words("""

                The primary service of a warehouse is backed up once a day, or as its configuration says, while it runs; a service
                that sleeps is not woken for it, and what was missed is made up for when it runs again. A backup is kept for its
                retention, the newest finished one of a living service for longer. The backups of a deleted service stay readable,
                and restorable, until their time is up. On the simulated plane a backup has no bytes, wherever it is.

                `backupBucket` names a bucket of your own that backups go to from then on, and that they are restored and deleted
                from. `bucketPath` is `s3://name/path`, `gs://name/path`, or the URL of any S3-compatible server with the bucket as
                the first name of its path. A bucket of AWS is opened by `accessKeyId` and `secretAccessKey` as well, which the
                hosted service does not have.""");
        JsonNode made = page.of(instanceCreate).quietly();
        page.is("serviceId", made.at("/service/id"));
        page.letPass(LONG_ENOUGH);
        page.of(backupConfigurationGet).answered();
        page.of(backupConfigurationUpdate).answered();
        page.of(backupConfigurationUpdate)
                .named("A configuration with faults")
                .body("{'backupPeriodInHours': 0, 'backupRetentionPeriodInHours': 25, 'backupStartTime': 'soon'}")
                .refused(400);
        page.of(backupBucketCreate).answered();
        page.of(backupBucketGet).answered();
        page.of(backupBucketUpdate).answered();
        page.of(scalingScheduleUpsert).answered();
        page.of(scalingScheduleGet).answered();
        page.of(scalingScheduleDelete).answered();
        page.of(upgradeWindowUpdate).answered();
        page.of(upgradeWindowGet).answered();
        page.of(upgradeWindowDelete).answered();
        page.of(serviceClickhouseSettingsSchemaGet).answered();
        page.of(serviceClickhouseSettingsUpdate).answered();
        page.of(serviceClickhouseSettingsUpdate)
                .named("Settings with faults")
                .body("{\"settings\": \"{\\\"max_threads\\\": \\\"many\\\", \\\"readonly\\\": 1}\"}")
                .refused(400);
        page.of(serviceClickhouseSettingsListGet).answered();
        page.is(
                "settingName",
                page.of(serviceClickhouseSettingsListGet).quietly().at("/settings/3/name"));
        page.of(serviceClickhouseSettingGet).answered();
        page.of(serviceClickhouseSettingDelete).answered();
        page.is("ownKeyId", page.of(openapiKeyGetList).quietly().at("/0/id"));
        page.of(instanceQueryEndpointUpsert)
                .body("{'roles': ['sql_console_read_only'], 'openApiKeys': ['{ownKeyId}'],"
                        + " 'allowedOrigins': 'https://app.example.org'}")
                .answered();
        page.of(instanceQueryEndpointGet).answered();
        page.of(instanceQueryEndpointDelete).answered();
        page.of(backupCreate).atOnce().keep("backupId", "/id");
        page.of(backupCreate).named("Ask for another one too early").refused(409);
        page.letPass(LONG_ENOUGH);
        page.of(backupGet).answered();
        page.of(backupGetList).answered();
        page.of(instanceCreate)
                .named("Restore one into a new service")
                .body("{'name': 'Events again', 'region': 'eu-west-1', 'backupId': '{backupId}'}")
                .answered();
        page.of(instanceCreate)
                .named("Restore one elsewhere")
                .body("{'region': 'us-east-1', 'backupId': '{backupId}'}")
                .refused(400);
        page.of(backupBucketDelete).answered();
    }

    private void pipes() {
        page.section("Pipes");
        page.of(clickPipeSchemaDiscovery).answered();
        page.of(clickPipeSchemaDiscovery)
                .named("Discover the fields of a source that cannot be read")
                .body("""
                        {'source': {'kafka': {'brokers': 'nowhere.example.org:9092', 'topics': 'orders'}}}""")
                .refused(424);
        page.of(clickPipeCreate).keep("clickPipeId", "/id");
        page.letPass(LONG_ENOUGH);
        page.of(clickPipeGet).answered();
        page.of(clickPipeGetList).answered();
        page.of(clickPipeScalingUpdate).answered();
        page.of(clickPipeUpdate).answered();
        page.of(clickPipeSettingsGet).answered();
        page.of(clickPipeSettingsUpdate).answered();
        page.of(clickPipeOffsetsUpdate).named("Send a pipe elsewhere that runs").refused(400);
        page.of(clickPipeErrorsReplay).answered();
        page.of(clickPipeErrorsReplayGet).answered();
        page.of(clickPipeStateUpdate).answered();
        page.letPass(LONG_ENOUGH);
        page.of(clickPipeOffsetsUpdate).answered();
        page.of(clickPipeOffsetsUpdate)
                .named("Have a pipe read some partitions from an offset on")
                .body("{'to': 'offset', 'offset': 4711, 'partitions': ['orders:0', 'orders:1']}")
                .answered();
        page.of(clickPipeOffsetsGet).answered();
        page.of(clickPipeDelete).answered();
        page.of(clickPipeCreate).named("Create a database pipe").body("""
                        {'name': 'Shop', 'source': {'postgres': {'host': 'db.example.org', 'database': 'shop',
                         'credentials': {'username': 'reader', 'password': 'secret'},
                         'tableMappings': [{'sourceSchemaName': 'public', 'sourceTable': 'orders', 'targetTable': 'orders'}]}},
                         'destination': {'database': 'default'}}""").keep("clickPipeId", "/id");
        page.of(clickPipeStateUpdate)
                .named("Have a database pipe read one of its tables again")
                .body("{'command': 'resync', 'targetTable': 'orders'}")
                .answered();
        page.of(clickPipeCdcScalingGet).answered();
        page.of(clickPipeCdcScalingUpdate).answered();

        page.section("Reverse private endpoints");
        page.of(clickPipeReversePrivateEndpointCreate).keep("reversePrivateEndpointId", "/id");
        page.letPass(LONG_ENOUGH);
        page.of(clickPipeReversePrivateEndpointGetList).answered();
        page.of(clickPipeReversePrivateEndpointGet).answered();
        page.of(clickPipeReversePrivateEndpointUpdate).answered();
        page.of(clickPipeReversePrivateEndpointDelete).answered();
    }

    private void records() {
        page.section("Billing");
        page.words("""

                A service costs for the memory that it is sure to have, its least number of replicas at their least size, while it runs;
                a warehouse for what its services have on disk, as seen once a day (on the simulated plane nothing is). Prices are settings,
                `--price-memory` and `--price-storage`.""");
        page.of(instanceCreate)
                .body("{'name': 'Costed', 'tags': [{'key': 'team', 'value': 'search'}]}")
                .quietly();
        page.letPass(Duration.ofHours(1));
        page.of(usageCostGet)
                .query("from_date=2026-01-01&to_date=2026-01-01&filter=tag:team=search")
                .answered();

        page.section("Prometheus");
        page.words("""

                A Prometheus that scrapes it needs `honor_labels: true`. What databases say about themselves (`ClickHouseProfileEvents_…`,
                `ClickHouseMetrics_…`, `ClickHouseAsyncMetrics_…`, `ClickHouseErrorMetric_…`) is there for those that run; on the simulated
                plane there are none. A scrape never wakes a service.""");
        page.is(
                "serviceId",
                page.of(instanceCreate).body("{'name': 'Watched'}").quietly().at("/service/id"));
        page.letPass(LONG_ENOUGH);
        page.of(instancePrometheusGet).query("filtered_metrics=true").said();
        page.of(clickPipeCreate).quietly();
        page.letPass(LONG_ENOUGH);
        page.of(organizationPrometheusGet).said();
        page.of(organizationPrometheusDiscoveryGet).answered();

        page.section("Activities");
        JsonNode lines = page.of(activityGetList)
                .query("from_date=" + page.began("Alerts tokens"))
                .answered();
        page.is("activityId", lines.at("/0/id"));
        page.of(activityGet).answered();
    }
}
