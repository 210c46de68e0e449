package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The history of an organization: who changed what, in which request. */
class ActivityTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private JsonNode activities(String query) {
        return tenant.admin().get(tenant.path() + "/activities" + query).ok();
    }

    private List<String> types(String query) {
        return activities(query)
                .valueStream()
                .map(activity -> activity.path("type").asString())
                .toList();
    }

    @Test
    void everyChangeIsALineWithItsActorAndItsRequest() {
        ApiAnswer made = tenant.create("{}");
        JsonNode service = made.ok().path("service");
        JsonNode line = activities("").get(0);
        ApiJson.assertSame(line.path("type"), "'service_create'");
        ApiJson.assertSame(line.path("actorType"), "'api'");
        ApiJson.assertSame(line.path("organizationId"), "'" + tenant.id() + "'");
        ApiJson.assertSame(line.path("serviceId"), service.path("id").toString());
        ApiJson.assertSame(line.path("requestId"), "'" + made.need("x-request-id") + "'");
        ApiJson.assertSame(line.path("createdAt"), "'" + house.time.now() + "'");
        JsonNode admin = tenant.admin().get(tenant.keys()).ok().get(0);
        ApiJson.assertSame(line.path("actorId"), admin.path("id").toString());
        ApiJson.assertSame(line.path("actorDetails"), admin.path("name").toString());
        assertThat(tenant.admin()
                        .get(tenant.path() + "/activities/" + line.path("id").asString())
                        .ok())
                .isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name': 'New'} | service_update_name",
                "{'ipAccessList': {'add': [{'source': '::1'}]}} | service_update_ip_access_list",
                "{'releaseChannel': 'fast'} | service_update_release_channel",
                "{'endpoints': [{'protocol': 'mysql', 'enabled': true}]} | service_update_endpoints",
                "{'tags': {'add': [{'key': 'k'}]}} | service_update_tags",
                "{'transparentDataEncryptionKeyId': 'k'} | service_update_encryption_key",
                "{'enableCoreDumps': true} | service_update_core_dump"
            })
    void everyFieldThatChangedHasItsOwnType(String body, String type) {
        JsonNode service = tenant.made("{'hasTransparentDataEncryption': true}");
        house.advance(Duration.ofMillis(1));
        String since = house.time.now().toString();
        tenant.update(service, body).ok();
        assertThat(types("?from_date=" + since)).containsExactly(type);
    }

    @Test
    void changesOfOneRequestAreListedTogether() {
        JsonNode service = tenant.made("{}");
        house.advance(Duration.ofMillis(1));
        String since = "?from_date=" + house.time.now();
        tenant.update(service, "{'name': 'New', 'releaseChannel': 'slow', 'privateEndpointIds': {'add': ['vpce-1']}}")
                .ok();
        assertThat(types(since))
                .containsExactlyInAnyOrder(
                        "service_update_name",
                        "service_update_release_channel",
                        "service_update_private_endpoints",
                        "organization_update_private_endpoints");
        assertThat(activities(since)
                        .valueStream()
                        .map(line -> line.path("requestId").asString())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void theLifeOfAServiceIsListedNewestFirst() {
        JsonNode service = tenant.made("{}");
        house.settle();
        for (String command : List.of("stop", "start", "stop")) {
            house.advance(Duration.ofMillis(1));
            tenant.command(service, command).ok();
        }
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        assertThat(types("").stream().filter(type -> type.startsWith("service_")))
                .containsSubsequence(
                        "service_delete", "service_stop", "service_start", "service_stop", "service_create");
        List<Instant> times = activities("")
                .valueStream()
                .map(line -> Instant.parse(line.path("createdAt").asString()))
                .toList();
        assertThat(times).isSortedAccordingTo((one, other) -> other.compareTo(one));
    }

    @Test
    void datesBoundTheHistoryFromThisSideAndThat() {
        Instant first = rename("First");
        house.advance(Duration.ofSeconds(10));
        Instant second = rename("Second");
        house.advance(Duration.ofSeconds(10));
        tenant.newKey("developer");
        String renamed = "organization_update_name";
        assertThat(types("?from_date=" + second)).containsExactly("key_create", renamed);
        assertThat(types("?from_date=" + first + "&to_date=" + second)).containsExactly(renamed);
        assertThat(types("?to_date=" + second)).containsExactly(renamed);
        assertThat(types("?from_date=" + second.plusNanos(1))).containsExactly("key_create");
        assertThat(types("?from_date=" + house.time.now().plusNanos(1))).isEmpty();
        assertThat(types("?from_date=" + second.toString().replace("Z", "%2B00:00")))
                .containsExactly("key_create", renamed);
    }

    private Instant rename(String name) {
        tenant.admin().patch(tenant.path(), "{'name': '" + name + "'}").ok();
        return house.time.now();
    }

    @Test
    void aLineSaysFromWhereAndWithWhatItWasAsked() {
        tenant.admin()
                .with("User-Agent", "terraform/1.9 " + "x".repeat(300))
                .post(tenant.services(), "{}")
                .ok();
        JsonNode line = activities("").get(0);
        ApiJson.assertSame(line.path("actorIpAddress"), "'127.0.0.1'");
        assertThat(line.path("userAgent").asString())
                .startsWith("terraform/1.9 x")
                .hasSize(255);
        house.settle();
        JsonNode bySystem = activities("").get(0);
        ApiJson.assertSame(bySystem.path("actorType"), "'system'");
        assertThat(bySystem.has("actorIpAddress")).isFalse();
        assertThat(bySystem.has("userAgent")).isFalse();
    }

    @Test
    void aPlainDateIsADayOfWhichAllIsListed() {
        Instant midnight = house.time.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
        house.advance(Duration.between(house.time.now(), midnight).minusMillis(1));
        rename("Before");
        house.advance(Duration.ofMillis(1));
        rename("First");
        house.advance(Duration.ofHours(24).minusMillis(1));
        rename("Last");
        house.advance(Duration.ofMillis(1));
        rename("After");
        String day = midnight.toString().substring(0, 10);
        assertThat(types("?from_date=" + day + "&to_date=" + day)).hasSize(2);
        assertThat(types("?from_date=" + day)).hasSize(3);
        assertThat(types("?to_date=" + day).stream().filter("organization_update_name"::equals))
                .hasSize(3);
        assertThat(types("?from_date=" + day + "&to_date=" + midnight)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-02-30", "2026-13-01T00:00:00Z", "1767225600", "%ff"})
    void aDateIsADayOrAMoment(String date) {
        tenant.admin().get(tenant.path() + "/activities?from_date=" + date).faultsAt("from_date");
        tenant.admin().get(tenant.path() + "/activities?to_date=" + date).faultsAt("to_date");
    }

    @Test
    void aHistoryOfManyPagesIsListedWhole() {
        JsonNode service = tenant.made("{}");
        for (int i = 0; i < 450; i++) {
            house.advance(Duration.ofMillis(1));
            tenant.admin()
                    .inACrowd()
                    .patch(tenant.service(service), "{'name': 'Name " + i + "'}")
                    .ok();
        }
        List<String> types = types("");
        assertThat(types.stream().filter("service_update_name"::equals)).hasSize(450);
        assertThat(activities("")
                        .valueStream()
                        .map(line -> line.path("id").asString())
                        .distinct())
                .hasSize(types.size());
    }

    @Test
    void aMissingLineIsNotFound() {
        tenant.admin()
                .get(tenant.path() + "/activities/00000000-0000-4000-8000-000000000000")
                .refused(404, "NOT_FOUND");
        tenant.admin().get(tenant.path() + "/activities/x").faultsAt("path.activityId");
        Tenant stranger = house.tenant();
        stranger.made("{}");
        JsonNode foreign =
                stranger.admin().get(stranger.path() + "/activities").ok().get(0);
        tenant.admin()
                .get(tenant.path() + "/activities/" + foreign.path("id").asString())
                .refused(404, "NOT_FOUND");
    }
}
