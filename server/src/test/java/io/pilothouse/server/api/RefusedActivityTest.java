package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What was refused, in the history of the organization whose key it was. */
class RefusedActivityTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private List<JsonNode> refusals(Tenant of) {
        return of.admin()
                .get(of.path() + "/activities")
                .ok()
                .valueStream()
                .filter(line -> line.has("refusal"))
                .toList();
    }

    private JsonNode refusal() {
        house.await("a refusal is in the history", () -> !refusals(tenant).isEmpty());
        return refusals(tenant).getFirst();
    }

    private void ask(JsonNode key, String secret) {
        house.as(ApiCredentials.basic(key.path("keyId").asString(), secret))
                .get(tenant.path())
                .refused(401, "UNAUTHORIZED");
    }

    @Test
    void guessesAtAKeyAreOneLineOfItsOrganization() {
        Tenant other = house.tenant();
        JsonNode key = tenant.newKey("developer");
        String since = house.time.now().toString();
        ask(key, "x".repeat(48));
        ask(key, "y".repeat(48));
        house.as(ApiCredentials.basic("x".repeat(20), "y".repeat(48)))
                .get(tenant.path())
                .refused(401, "UNAUTHORIZED");
        JsonNode line = refusal();
        ApiJson.assertSame(line.path("type"), "'user_login_failed'");
        ApiJson.assertSame(line.path("actorType"), "'api'");
        ApiJson.assertSame(line.path("actorId"), key.path("key").path("id").toString());
        ApiJson.assertSame(line.path("actorIpAddress"), "'127.0.0.1'");
        ApiJson.assertSame(line.path("refusal"), "{'cause': 'wrong_secret', 'attempts': 2, 'since': '" + since + "'}");
        assertThat(line.path("userAgent").asString()).startsWith("Java-http-client");
        assertThat(refusals(tenant)).hasSize(1);
        assertThat(refusals(other)).isEmpty();
    }

    @Test
    void aRightSecretThatOpensNothingSaysWhy() {
        JsonNode key = tenant.newKey("developer");
        tenant.admin()
                .patch(tenant.keys() + "/" + key.path("key").path("id").asString(), "{'state': 'disabled'}")
                .ok();
        ask(key, key.path("keySecret").asString());
        ApiJson.assertSame(refusal().path("refusal").path("cause"), "'disabled'");
    }

    @Test
    void aRequestWithoutTheRightIsALineWithItsOperation() {
        JsonNode service = tenant.made("{}");
        ApiCaller developer = tenant.as("developer");
        ApiAnswer refused = developer.delete(tenant.service(service));
        refused.refused(403, "FORBIDDEN");
        developer.delete(tenant.service(service)).refused(403, "FORBIDDEN");
        JsonNode line = refusal();
        ApiJson.assertSame(line.path("type"), "'operation_refused'");
        ApiJson.assertSame(line.path("requestId"), "'" + refused.need("x-request-id") + "'");
        ApiJson.assertSame(line.path("refusal").path("cause"), "'no_right'");
        ApiJson.assertSame(line.path("refusal").path("operationId"), "'instanceDelete'");
        ApiJson.assertSame(line.path("refusal").path("attempts"), "2");
        assertThat(refusals(tenant)).hasSize(1);
    }
}
