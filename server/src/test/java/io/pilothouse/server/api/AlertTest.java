package io.pilothouse.server.api;

import static io.pilothouse.server.api.AlertExamples.ALERT;
import static io.pilothouse.server.api.AlertExamples.ALERTS;
import static io.pilothouse.server.api.AlertExamples.DASHBOARD;
import static io.pilothouse.server.api.AlertExamples.DASHBOARDS;
import static io.pilothouse.server.api.AlertExamples.WEBHOOKS;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Alerts as things: making, reading, replacing, silencing and deleting them. */
class AlertTest {
    private static final List<String> OF_THE_SEED = List.of(
            "id",
            "name",
            "message",
            "threshold",
            "interval",
            "thresholdType",
            "source",
            "state",
            "channel",
            "team",
            "tileId",
            "dashboard",
            "createdAt",
            "updatedAt");
    private static final List<String> BEYOND_THE_SEED = List.of(
            "teamId",
            "dashboardId",
            "note",
            "thresholdMax",
            "numConsecutiveWindows",
            "scheduleOffsetMinutes",
            "scheduleStartAt",
            "groupBy",
            "savedSearch",
            "savedSearchId",
            "channels",
            "silenced",
            "executionErrors",
            "builtIn");

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final ApiCaller caller = tenant.alerts();

    private JsonNode made(String body) {
        return caller.post(ALERTS, body).data();
    }

    private static String path(JsonNode alert) {
        return ALERTS + "/" + alert.path("id").asString();
    }

    /** The usual alert with these members put in place of its own; {@code null} takes one away. */
    private static String with(String members) {
        JsonNode merged = ApiJson.read(ApiJson.text(ALERT));
        ApiJson.read(ApiJson.text("{" + members + "}"))
                .properties()
                .forEach(member -> ((ObjectNode) merged).set(member.getKey(), member.getValue()));
        return merged.toString().replace('"', '\'');
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    @Test
    void anAlertHasEveryFieldOfTheSeedAlwaysAndMore() {
        JsonNode alert = made(ALERT);
        List<String> all = new ArrayList<>(OF_THE_SEED);
        all.addAll(BEYOND_THE_SEED);
        assertThat(names(alert)).containsExactlyInAnyOrderElementsOf(all);
        for (String name : OF_THE_SEED) {
            assertThat(alert.path(name).isNull()).as(name).isFalse();
        }
        ApiJson.assertSame(alert.path("name"), "'Too many'");
        ApiJson.assertSame(alert.path("threshold"), "3");
        ApiJson.assertSame(alert.path("thresholdType"), "'above'");
        ApiJson.assertSame(alert.path("interval"), "'1m'");
        ApiJson.assertSame(alert.path("source"), "'tile'");
        ApiJson.assertSame(alert.path("state"), "'inactive'");
        ApiJson.assertSame(alert.path("channel"), "{'type': 'activity', 'webhookId': 'activity'}");
        ApiJson.assertSame(alert.path("channels"), "[{'type': 'activity', 'webhookId': 'activity'}]");
        assertThat(alert.path("team").asString()).isEqualTo(tenant.id());
        assertThat(alert.path("teamId")).isEqualTo(alert.path("team"));
        assertThat(alert.path("dashboardId")).isEqualTo(alert.path("dashboard"));
        ApiJson.assertSame(alert.path("executionErrors"), "[]");
        assertThat(caller.get(path(alert)).data()).isEqualTo(alert);
    }

    @Test
    void theLeastAlertTakesItsNameFromItsTile() {
        JsonNode alert = made(with("'name': null, 'message': null, 'source': null"));
        ApiJson.assertSame(alert.path("name"), "'Failed or degraded services'");
        ApiJson.assertSame(alert.path("message"), "''");
        ApiJson.assertSame(alert.path("source"), "'tile'");
    }

    @Test
    void everyOrganizationHasItsBuiltInAlertsFromTheFirstDay() {
        ApiAnswer answer = caller.get(ALERTS);
        assertThat(answer.data()).hasSizeGreaterThanOrEqualTo(4).allSatisfy(alert -> {
            assertThat(names(alert)).containsAll(OF_THE_SEED);
            ApiJson.assertSame(alert.path("builtIn"), "true");
            ApiJson.assertSame(alert.path("source"), "'tile'");
            assertThat(caller.get(DASHBOARDS + "/" + alert.path("dashboard").asString())
                            .data()
                            .path("tiles")
                            .valueStream())
                    .anyMatch(tile -> tile.path("id").equals(alert.path("tileId")));
        });
        assertThat(answer.need("x-total-count"))
                .isEqualTo(Integer.toString(answer.data().size()));
        JsonNode first = answer.data().get(0);
        assertThat(caller.delete(path(first)).message(409)).contains("built-in");
        JsonNode mine = caller.put(path(first), with("'threshold': 7")).data();
        ApiJson.assertSame(mine.path("threshold"), "7");
        ApiJson.assertSame(mine.path("builtIn"), "true");
    }

    @Test
    void theListIsCutByLimitAndOffsetOldestFirst() {
        house.advance(Duration.ofSeconds(1));
        JsonNode made = made(with("'name': 'Last'"));
        int total = caller.get(ALERTS).data().size();
        ApiAnswer last = caller.get(ALERTS + "?limit=5&offset=" + (total - 1));
        assertThat(last.data()).containsExactly(made);
        ApiJson.assertSame(
                last.json().path("meta"), "{'total': " + total + ", 'limit': 5, 'offset': " + (total - 1) + "}");
        assertThat(caller.get(ALERTS + "?offset=" + total).data()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'threshold': null | threshold: is required",
                "'threshold': '3' | threshold: must be a number",
                "'thresholdType': null | thresholdType: is required",
                "'thresholdType': 'over' | thresholdType: must be one of above, below, above_exclusive",
                "'thresholdType': 'between' | thresholdMax: is required",
                "'thresholdType': 'between', 'thresholdMax': 2 | thresholdMax: must not be below threshold",
                "'thresholdMax': 4 | thresholdMax: belongs to between and not_between only",
                "'interval': null | interval: is required",
                "'interval': '2m' | interval: must be one of 1m, 5m, 15m, 30m, 1h, 6h, 12h, 1d",
                "'interval': '30s' | interval: must be one of",
                "'scheduleOffsetMinutes': 1 | scheduleOffsetMinutes: must be less than the interval",
                "'scheduleOffsetMinutes': 1440 | scheduleOffsetMinutes: must be",
                "'scheduleOffsetMinutes': -1 | scheduleOffsetMinutes: must be",
                "'interval': '1h', 'scheduleOffsetMinutes': 1.5 | scheduleOffsetMinutes: must be",
                "'scheduleStartAt': 'soon' | scheduleStartAt: must be an RFC 3339 date-time with a zone",
                "'scheduleStartAt': '2030-01-01T00:00:00Z' | scheduleStartAt: must be at most a year ahead",
                "'scheduleStartAt': '2001-01-01T00:00:00Z' | scheduleStartAt: must be at most 10 years back",
                "'source': 'saved_search' | source: must be tile",
                "'dashboard': null | dashboard: is required",
                "'dashboard': 'mine' | Invalid dashboard ID",
                "'dashboard': '11111111-0000-4000-8000-000000000001' | Dashboard not found",
                "'tileId': null | tileId: is required",
                "'tileId': 'nowhere' | Tile not found",
                "'channel': null | At least one notification channel is required",
                "'channel': {'type': 'pigeon'} | channel.type: must be one of webhook, activity",
                "'channel': {'type': 'webhook'} | Invalid webhook ID",
                "'channel': {'type': 'webhook', 'webhookId': 'x'} | Invalid webhook ID",
                "'channel': {'type': 'webhook', 'webhookId': '11111111-0000-4000-8000-000000000001'} | Webhook not found",
                "'channel': 5 | channel: must be an object",
                "'channels': [{'type': 'activity'}, {'type': 'activity'}] | channels: must not name a channel twice",
                "'numConsecutiveWindows': 0 | numConsecutiveWindows: must be",
                "'numConsecutiveWindows': 1.5 | numConsecutiveWindows: must be",
                "'groupBy': 'service' | groupBy: is set on the tile"
            })
    void aBrokenRuleIsReported(String members, String message) {
        ApiAnswer answer = caller.post(ALERTS, with(members));
        assertThat(answer.message(400)).contains(message);
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        assertThat(caller.post(ALERTS, "{'threshold': 'x', 'interval': '7m', 'thresholdType': 'up'}")
                        .message(400))
                .contains("threshold: ", "interval: ", "thresholdType: ", "dashboard: ", "tileId: ", "channel");
        assertThat(caller.post(ALERTS, with("'name': '" + "x".repeat(513) + "', 'note': '" + "x".repeat(4097) + "'"))
                        .message(400))
                .isEqualTo("name: must be at most 512 characters; note: must be at most 4096 characters");
        assertThat(caller.send("POST", ALERTS, "{").message(400)).contains("is not one valid JSON object");
    }

    @Test
    void aReplacementClearsWhatItLeavesOutExceptTheStartOfTheSchedule() {
        JsonNode alert = made(with("'note': 'Call me', 'numConsecutiveWindows': 3,"
                + " 'scheduleStartAt': '2026-01-01T00:00:30Z', 'thresholdType': 'between', 'thresholdMax': 9"));
        ApiJson.assertSame(alert.path("scheduleStartAt"), "'2026-01-01T00:00:30Z'");
        house.advance(Duration.ofSeconds(1));
        JsonNode replaced = caller.put(path(alert), with("'message': null")).data();
        ApiJson.assertSame(replaced.path("message"), "''");
        ApiJson.assertSame(replaced.path("note"), "null");
        ApiJson.assertSame(replaced.path("numConsecutiveWindows"), "null");
        ApiJson.assertSame(replaced.path("thresholdMax"), "null");
        ApiJson.assertSame(replaced.path("scheduleStartAt"), "'2026-01-01T00:00:30Z'");
        assertThat(replaced.path("createdAt")).isEqualTo(alert.path("createdAt"));
        assertThat(replaced.path("updatedAt")).isNotEqualTo(alert.path("updatedAt"));
        JsonNode cleared =
                caller.put(path(alert), with("'scheduleStartAt': null")).data();
        ApiJson.assertSame(cleared.path("scheduleStartAt"), "null");
        ApiJson.assertSame(cleared.path("scheduleOffsetMinutes"), "0");
    }

    @Test
    void aReplacementThatIsRefusedChangesNothing() {
        JsonNode alert = made(ALERT);
        caller.put(path(alert), with("'tileId': 'nowhere', 'threshold': 9")).message(400);
        caller.put(path(alert), with("'threshold': null")).message(400);
        assertThat(caller.get(path(alert)).data()).isEqualTo(alert);
    }

    @Test
    void aSilenceHoldsUntilItsEnd() {
        JsonNode alert = made(ALERT);
        String until = house.time.now().plusSeconds(3600).toString();
        JsonNode silenced = caller.post(path(alert) + "/silenced", "{'mutedUntil': '" + until + "'}")
                .data()
                .path("silenced");
        assertThat(silenced.path("until").asString()).isEqualTo(until);
        assertThat(silenced.path("by").asString()).isEqualTo("Another");
        assertThat(caller.get(path(alert)).data().path("silenced")).isEqualTo(silenced);
        ApiJson.assertSame(caller.delete(path(alert) + "/silenced").data().path("silenced"), "null");
        ApiJson.assertSame(caller.get(path(alert)).data().path("silenced"), "null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{'mutedUntil': '2001-01-01T00:00:00Z'}", "{'mutedUntil': 'later'}", "{'mutedUntil': 5}"})
    void aSilenceNeedsAnEndInTheFuture(String body) {
        JsonNode alert = made(ALERT);
        assertThat(caller.post(path(alert) + "/silenced", body).message(400)).startsWith("mutedUntil: ");
    }

    @Test
    void aDeletedAlertIsNotFound() {
        JsonNode alert = made(ALERT);
        ApiJson.assertSame(caller.delete(path(alert)).json(), "{}");
        assertThat(caller.get(path(alert)).message(404)).isEqualTo("Alert not found");
        assertThat(caller.delete(path(alert)).message(404)).isEqualTo("Alert not found");
    }

    @Test
    void aRepeatedCreationUnderOneKeyMakesOneAlert() {
        ApiCaller once = caller.with("Idempotency-Key", "word");
        JsonNode first = once.post(ALERTS, ALERT).data();
        ApiAnswer again = once.post(ALERTS, ALERT);
        assertThat(again.data()).isEqualTo(first);
        assertThat(again.header("idempotency-replayed")).isEqualTo("true");
        assertThat(once.post(ALERTS, with("'threshold': 9")).message(422)).contains("Idempotency-Key");
    }

    @Test
    void aDeletedTileTakesItsAlertsAlong() {
        JsonNode dashboard = caller.post(DASHBOARDS, DASHBOARD).data();
        String id = dashboard.path("id").asString();
        JsonNode alert = made(with("'dashboard': '" + id + "', 'tileId': 'one'"));
        caller.put(DASHBOARDS + "/" + id, DASHBOARD).data();
        assertThat(caller.get(path(alert)).status()).isEqualTo(200);
        caller.put(DASHBOARDS + "/" + id, DASHBOARD.replace("'one'", "'two'")).data();
        assertThat(caller.get(path(alert)).message(404)).isEqualTo("Alert not found");
        JsonNode other = made(with("'dashboard': '" + id + "', 'tileId': 'two'"));
        caller.delete(DASHBOARDS + "/" + id);
        assertThat(caller.get(path(other)).message(404)).isEqualTo("Alert not found");
    }

    @Test
    void severalChannelsAreShownWithTheFirstOneInFront() {
        String id = caller.post(WEBHOOKS, AlertExamples.webhookBody(1))
                .data()
                .path("id")
                .asString();
        String webhook = "{'type': 'webhook', 'webhookId': '" + id + "'}";
        JsonNode alert = made(with("'channel': null, 'channels': [" + webhook + ", {'type': 'activity'}]"));
        ApiJson.assertSame(alert.path("channel"), webhook);
        assertThat(alert.path("channels")).hasSize(2);
        assertThat(caller.post(ALERTS, with("'channels': [" + webhook + "]")).message(400))
                .isEqualTo("channel: must be the first of channels when both are given");
        assertThat(caller.delete(WEBHOOKS + "/" + id).message(409))
                .contains(alert.path("id").asString());
        caller.delete(path(alert));
        ApiJson.assertSame(caller.delete(WEBHOOKS + "/" + id).json(), "{}");
    }
}
