package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.emulator.EmulatorHouse.Tenant;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What follows the time that a test moves. The machine's own stands still in all of them. */
class MovedTimeTest {
    @RegisterExtension
    static final EmulatorHouse house =
            EmulatorHouse.start("--simulated-provisioning-time", "10m", "--activity-retention-days", "30");

    private final Tenant tenant = house.tenant();
    private final ApiCaller admin = house.as(tenant.admin());

    private String service() {
        return admin.post(tenant.path("/services"), "{}").ok().at("/service/id").asString();
    }

    private String running() {
        String id = service();
        house.forward(Duration.ofMinutes(11));
        return id;
    }

    private String state(String service) {
        return admin.get(tenant.path("/services/" + service)).ok().path("state").asString();
    }

    private List<String> activities() {
        return admin.get(tenant.path("/activities"))
                .ok()
                .valueStream()
                .map(line -> line.path("type").asString())
                .toList();
    }

    private static Instant now() {
        return Instant.parse(
                house.controls().get("/_pilothouse/clock").ok().path("now").asString());
    }

    @Test
    void provisioningTakesItsTimeAndNoOther() {
        String service = service();
        house.forward(Duration.ofMinutes(9));
        assertThat(state(service)).isEqualTo("provisioning");
        house.forward(Duration.ofMinutes(2));
        assertThat(state(service)).isEqualTo("running");
        admin.patch(tenant.path("/services/" + service + "/state"), "{'command': 'stop'}")
                .ok();
        house.forward(Duration.ZERO);
        assertThat(state(service)).isEqualTo("stopping");
        house.forward(Duration.ofMinutes(11));
        assertThat(state(service)).isEqualTo("stopped");
    }

    @Test
    void whatIsMadeIsOfTheMovedTime() {
        Instant before = now();
        house.forward(Duration.ofDays(3));
        Tenant later = house.tenant();
        Instant made = Instant.parse(house.as(later.admin())
                .get(later.path(""))
                .ok()
                .path("createdAt")
                .asString());
        assertThat(made).isEqualTo(before.plus(Duration.ofDays(3)));
    }

    @Test
    void aScheduleBeginsAndEndsAtItsHours() {
        String service = running();
        int hour = now().atOffset(ZoneOffset.UTC).getHour();
        int start = (hour + 1) % 24;
        int end = (hour + 3) % 24;
        String schedule = tenant.path("/services/" + service + "/scalingSchedule");
        admin.post(
                        schedule,
                        "{'entries': [{'name': 'Rush', 'weekdays': [0, 1, 2, 3, 4, 5, 6], 'startHourUtc': " + start
                                + ", 'endHourUtc': " + (end == 0 ? 24 : end)
                                + ", 'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 96, 'numReplicas': 5}]}")
                .ok();
        assertThat(replicas(service)).isNotEqualTo(5);
        house.forward(Duration.ofHours(1));
        assertThat(replicas(service)).isEqualTo(5);
        house.forward(Duration.ofHours(2));
        assertThat(replicas(service)).isNotEqualTo(5);
    }

    private int replicas(String service) {
        return admin.get(tenant.path("/services/" + service))
                .ok()
                .at("/currentScaling/effectiveMaxReplicas")
                .asInt();
    }

    @Test
    void backupsAreMadeAndRemovedInTheirTime() {
        String service = running();
        String backups = tenant.path("/services/" + service + "/backups");
        house.forward(Duration.ofHours(25));
        house.forward(Duration.ofMinutes(11));
        JsonNode first = admin.get(backups).ok().get(0);
        assertThat(first.path("status").asString()).isEqualTo("done");
        for (int day = 0; day < 8; day++) {
            house.forward(Duration.ofHours(25));
            house.forward(Duration.ofMinutes(11));
        }
        assertThat(admin.get(backups).ok().valueStream().map(each -> each.path("id")))
                .isNotEmpty()
                .doesNotContain(first.path("id"));
    }

    @Test
    void keysAndInvitationsExpire() {
        JsonNode key = admin.post(
                        tenant.path("/keys"),
                        "{'name': 'Short', 'roles': ['admin'], 'expireAt': '" + now().plus(Duration.ofHours(1)) + "'}")
                .ok();
        ApiCaller shortly = house.as(ApiCredentials.basic(
                key.path("keyId").asString(), key.path("keySecret").asString()));
        JsonNode invitation = admin.post(tenant.path("/invitations"), "{'email': 'ada@example.org'}")
                .ok();
        assertThat(shortly.get("/v1/whoami").status()).isEqualTo(200);
        house.forward(Duration.ofHours(2));
        assertThat(shortly.get("/v1/whoami").status()).isEqualTo(401);
        house.forward(Duration.ofDays(7));
        assertThat(house.as(ApiCredentials.NONE)
                        .inACrowd()
                        .post(
                                "/v1/invitations/accept",
                                "{'token': '" + invitation.path("token").asString() + "', 'name': 'Ada'}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void activitiesAreRemovedAfterTheirRetention() {
        service();
        assertThat(activities()).contains("service_create");
        house.forward(Duration.ofDays(31));
        assertThat(activities()).doesNotContain("service_create");
    }

    @Test
    void alertsAreEvaluatedAtTheEndOfTheirWindows() {
        JsonNode token =
                admin.post(tenant.path("/alertsTokens"), "{'name': 'T'}").ok();
        ApiCaller alerts = house.alerts(token.path("accessToken").asString());
        String dashboard =
                alerts.post("/api/v2/dashboards", """
                        {'name': 'Mine', 'tags': [], 'tiles': [{'id': 'one', 'name': 'All', 'x': 0, 'y': 0, 'w': 12,
                         'h': 4, 'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last'}}]}""").data().path("id").asString();
        String alert = alerts.post(
                        "/api/v2/alerts",
                        "{'name': 'Any', 'threshold': 1, 'thresholdType': 'above', 'interval': '5m', 'dashboard': '"
                                + dashboard + "', 'tileId': 'one', 'channel': {'type': 'activity'}}")
                .data()
                .path("id")
                .asString();
        service();
        assertThat(activities()).doesNotContain("alert_firing");
        house.forward(Duration.ofMinutes(11));
        assertThat(alerts.get("/api/v2/alerts/" + alert).data().path("state").asString())
                .isEqualTo("firing");
        assertThat(activities()).contains("alert_firing");
    }
}
