package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The alerts interface: its own address, its own credentials, its own shape of answers and errors. */
class AlertsListenerTest {
    private static final String ALERTS = "/api/v2/alerts";

    @RegisterExtension
    static final House house = House.start();

    private final ApiCaller caller = house.alertsAs(ApiCredentials.bearer(house.alertsToken()));

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    private static void requireMessage(ApiAnswer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(names(answer.json())).containsExactly("message");
    }

    @Test
    void theListHasNoEnvelope() {
        ApiAnswer answer = caller.get(ALERTS);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(names(answer.json())).containsExactlyInAnyOrder("data", "meta");
        assertThat(answer.json().path("data").isArray()).isTrue();
        ApiJson.assertSame(answer.json().path("meta").path("limit"), "1000");
        ApiJson.assertSame(answer.json().path("meta").path("offset"), "0");
        assertThat(answer.need("x-total-count"))
                .isEqualTo(answer.json().path("meta").path("total").toString());
    }

    @ParameterizedTest
    @CsvSource({"limit=1, 1, 0", "limit=1000, 1000, 0", "offset=5, 1000, 5", "limit=7&offset=0, 7, 0"})
    void aPageIsAskedForByLimitAndOffset(String query, int limit, int offset) {
        JsonNode meta = caller.get(ALERTS + "?" + query).json().path("meta");
        assertThat(meta.path("limit").asInt()).isEqualTo(limit);
        assertThat(meta.path("offset").asInt()).isEqualTo(offset);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=1001",
                "limit=-1",
                "limit=x",
                "limit=",
                "limit=1.0",
                "offset=-1",
                "offset=x",
                "limit=1&limit=2",
                "limit=%2B1"
            })
    void aPageOutOfBoundsIsRefused(String query) {
        requireMessage(caller.get(ALERTS + "?" + query), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer nobody", "Basic AAAA", "Bearer a b"})
    void aCallerWithoutATokenIsUnknown(String header) {
        ApiAnswer answer = house.alertsAs(ApiCredentials.NONE)
                .with("Authorization", header)
                .get(ALERTS);
        requireMessage(answer, 401);
        assertThat(answer.need("www-authenticate")).startsWith("Bearer");
    }

    @Test
    void aKeyOfTheOtherInterfaceIsNoToken() {
        requireMessage(house.alertsAs(house.root().credentials()).get(ALERTS), 401);
        requireMessage(house.alertsAs(ApiCredentials.NONE).get(ALERTS), 401);
    }

    @Test
    void aTokenIsNoKeyOfTheOtherInterface() {
        house.as(ApiCredentials.bearer(house.alertsToken()))
                .get("/v1/organizations")
                .refused(401, "UNAUTHORIZED");
    }

    @Test
    void eachInterfaceHasItsOwnPaths() {
        requireMessage(caller.get("/v1/organizations"), 404);
        requireMessage(caller.get("/"), 404);
        house.root().get(ALERTS).refused(404, "NOT_FOUND");
        ApiAnswer answer = caller.send("PATCH", ALERTS, "{}");
        requireMessage(answer, 405);
        assertThat(answer.need("allow")).contains("GET", "POST");
    }
}
