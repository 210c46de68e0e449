package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.EntityTags;
import io.pilothouse.http.wire.Problem;
import io.pilothouse.http.wire.RequestRecord;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
    private static final String OWN = "/v1/organizations/" + TestHouse.ORGANIZATION;
    private static final UUID SERVICE = UUID.fromString("33333333-2222-4333-8444-555555555555");

    private static Route route(String id, Verb verb, String tail, Permission permission, Route.Handler handler) {
        return new Route(id, verb, "/v1/organizations/{organizationId}" + tail, permission, handler);
    }

    private static Route get(String tail, Route.Handler handler) {
        return route("read", Verb.GET, tail, Permission.SERVICE_READ, handler);
    }

    private static RawClient.Reply ask(TestHouse house, String methodAndPath, String headers) throws IOException {
        try (RawClient client = house.client()) {
            return client.send(methodAndPath + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n")
                    .read();
        }
    }

    private static RawClient.Reply post(TestHouse house, String path, String headers, @Nullable String body)
            throws IOException {
        try (RawClient client = house.client()) {
            String length = body == null ? "" : "Content-Length: " + body.length() + "\r\n";
            return client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\n" + TestHouse.GOOD + headers + length + "\r\n"
                            + (body == null ? "" : body))
                    .read();
        }
    }

    private static String withoutId(RawClient.Reply reply) {
        return reply.body().replace(String.valueOf(reply.header("X-Request-Id")), "ID");
    }

    @Test
    void aCallerWithTheRightGetsThrough() throws IOException {
        try (TestHouse house = TestHouse.of(get(
                "/services/{serviceId}",
                request -> request.one("7", (out, _) -> {
                    out.startObject();
                    out.id("id", request.id("serviceId"));
                    out.id("organization", request.permit().organizationId());
                    out.endObject();
                })))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services/" + SERVICE, TestHouse.GOOD);
            assertThat(withoutId(reply))
                    .isEqualTo("{\"status\":200,\"requestId\":\"ID\",\"result\":{\"id\":\"" + SERVICE
                            + "\",\"organization\":\"" + TestHouse.ORGANIZATION + "\"}}");
            assertThat(reply.header("ETag")).matches("\"[0-9a-f]{32}\"");
            RequestRecord seen = house.onlyRecord();
            assertThat(seen.operationId()).isEqualTo("read");
            assertThat(seen.permission()).isEqualTo(Permission.SERVICE_READ);
            assertThat(seen.keyId()).isEqualTo(TestHouse.KEY);
            assertThat(seen.status()).isEqualTo(200);
            assertThat(seen.durationNanos()).isPositive();
            assertThat(seen.contentBytes()).isEqualTo(reply.body().length());
            assertThat(seen.requestId()).hasToString(reply.header("X-Request-Id"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Authorization: Basic\r\n",
                "Authorization: Basic \r\n",
                "Authorization: Basic !!!!\r\n",
                "Authorization: Basic Z29vZA==\r\n",
                "Authorization: Basic Z29vZDp3cm9uZw==\r\n",
                "Authorization: Basic Z29vZDpzZWNyZXQ= x\r\n",
                "Authorization: Basic\tZ29vZDpzZWNyZXQ=\r\n",
                "Authorization: Bearer Z29vZDpzZWNyZXQ=\r\n",
                "Authorization: good:secret\r\n",
                "Authorization: BasicZ29vZDpzZWNyZXQ=\r\n",
                TestHouse.GOOD + TestHouse.GOOD
            })
    void everybodyElseIsRefusedInTheSameWords(String headers) throws IOException {
        try (TestHouse house = TestHouse.of(get("/services", request -> request.done()))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services", headers);
            assertThat(reply.status()).isEqualTo(401);
            assertThat(withoutId(reply))
                    .isEqualTo("{\"status\":401,\"error\":\"UNAUTHORIZED: Unknown, disabled or expired credentials\","
                            + "\"requestId\":\"ID\"}");
            assertThat(reply.header("WWW-Authenticate")).isEqualTo("Basic realm=\"pilothouse\", charset=\"UTF-8\"");
            assertThat(house.onlyRecord().permission()).isNull();
            assertThat(house.onlyRecord().keyId()).isNull();
            assertThat(house.onlyRecord().operationId()).isEqualTo("read");
        }
    }

    @Test
    void theSchemeIsReadWithoutItsCase() throws IOException {
        try (TestHouse house = TestHouse.of(get("/services", request -> request.done()))) {
            assertThat(ask(house, "GET " + OWN + "/services", "authorization: bASIC Z29vZDpzZWNyZXQ=\r\n")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aForeignOrganizationAMissingOneAndNonsenseGetTheSameBody() throws IOException {
        try (TestHouse house = TestHouse.of(get("/services", request -> request.done()))) {
            String expected = "{\"status\":404,\"error\":\"NOT_FOUND: Organization not found\",\"requestId\":\"ID\"}";
            for (String id : new String[] {UUID.randomUUID().toString(), "not-a-uuid", "%00", "..", "1"}) {
                RawClient.Reply reply = ask(house, "GET /v1/organizations/" + id + "/services", TestHouse.GOOD);
                assertThat(reply.status()).isEqualTo(404);
                assertThat(withoutId(reply)).isEqualTo(expected);
            }
        }
    }

    @Test
    void aRightTheCallerLacksIsForbiddenBeforeAnythingIsRead() throws IOException {
        Route delete = route("remove", Verb.POST, "/services", Permission.SERVICE_DELETE, request -> {
            throw new AssertionError("must not be reached");
        });
        try (TestHouse house = TestHouse.of(delete)) {
            RawClient.Reply reply = post(house, OWN + "/services", "Content-Type: text/plain\r\n", "nonsense");
            assertThat(reply.status()).isEqualTo(403);
            assertThat(reply.body()).contains("FORBIDDEN: ");
            assertThat(house.onlyRecord().permission()).isNull();
            assertThat(house.onlyRecord().keyId()).isEqualTo(TestHouse.KEY);
        }
    }

    @Test
    void credentialsComeBeforeTheSizeOfTheBody() throws IOException {
        Route create = route("create", Verb.POST, "/services", Permission.SERVICE_WRITE, request -> {
            request.object();
            return request.done();
        });
        try (TestHouse house = TestHouse.of(create);
                RawClient client = house.client()) {
            client.send("POST " + OWN + "/services HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
        }
    }

    @Test
    void theBodyIsRefusedByMediaTypeThenSizeThenSyntax() throws IOException {
        Route create = route("create", Verb.POST, "/services", Permission.SERVICE_WRITE, request -> {
            request.object();
            return request.done();
        });
        String tooMuch = "x".repeat(ListenerLimits.standard().bodyBytes() + 1);
        String json = "Content-Type: application/json\r\n";
        try (TestHouse house = TestHouse.of(create)) {
            String path = OWN + "/services";
            assertThat(post(house, path, "", "{}").status()).isEqualTo(415);
            assertThat(post(house, path, "Content-Type: text/plain\r\n", tooMuch)
                            .status())
                    .isEqualTo(415);
            assertThat(post(house, path, json, tooMuch).status()).isEqualTo(413);
            RawClient.Reply broken = post(house, path, json, "{\"a\":}");
            assertThat(broken.status()).isEqualTo(400);
            assertThat(broken.body())
                    .contains("\"error\":\"BAD_REQUEST: is not one valid JSON object at line 1, column 6\"")
                    .contains("\"details\":[{\"path\":\"\",\"message\":");
            RawClient.Reply none = post(house, path, "", null);
            assertThat(none.status()).isEqualTo(400);
            assertThat(none.body()).contains("a JSON object is required");
            assertThat(post(house, path, json, "{}").status()).isEqualTo(200);
        }
    }

    @Test
    void aMalformedIdInThePathIsReportedTogetherWithTheBodysFaults() throws IOException {
        Route update = route("update", Verb.POST, "/services/{serviceId}", Permission.SERVICE_WRITE, request -> {
            request.object().text("name");
            request.checkedPermit();
            return request.done();
        });
        try (TestHouse house = TestHouse.of(update)) {
            RawClient.Reply reply =
                    post(house, OWN + "/services/7", "Content-Type: application/json\r\n", "{\"name\":1}");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.body())
                    .contains("{\"path\":\"path.serviceId\",\"message\":\"must be a UUID\"}")
                    .contains("{\"path\":\"name\",\"message\":\"must be a string\"}");
        }
    }

    @Test
    void aMalformedIdAloneIsA400() throws IOException {
        try (TestHouse house = TestHouse.of(get("/services/{serviceId}", request -> {
            request.checkedPermit();
            return request.done();
        }))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services/7%ff", TestHouse.GOOD);
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.body()).contains("BAD_REQUEST: path.serviceId: must be a UUID");
        }
    }

    @ParameterizedTest
    @EnumSource(Refused.Reason.class)
    void everyRefusalHasItsStatusAndItsCodeWord(Refused.Reason reason) throws IOException {
        try (TestHouse house = TestHouse.of(get("/services", request -> {
            throw new Refused(reason, "Not today");
        }))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services", TestHouse.GOOD);
            assertThat(reply.status()).isEqualTo(Problem.status(reason)).isBetween(400, 503);
            assertThat(reply.body())
                    .contains("\"error\":\"" + reason + ": Not today\"")
                    .doesNotContain("details");
            boolean again = reason == Refused.Reason.UNAVAILABLE;
            assertThat(reply.header("Retry-After")).isEqualTo(again ? "1" : null);
        }
    }

    @Test
    void aStoreThatIsGoneIsA503AndLoggedOnce() throws IOException {
        StoreUnavailable gone = new StoreUnavailable("disk full", new IOException("no space"));
        try (TestHouse house = TestHouse.of(get("/services", request -> {
            throw gone;
        }))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services", TestHouse.GOOD);
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).isEqualTo("1");
            assertThat(reply.body()).contains("UNAVAILABLE: ").doesNotContain("disk");
            assertThat(house.failures).containsExactly(gone);
        }
    }

    @Test
    void aBugIsABlandAnswerAndLoggedOnceWithItsCause() throws IOException {
        IllegalStateException bug = new IllegalStateException("the secret is xyzzy");
        try (TestHouse house = TestHouse.of(get("/services", request -> {
            throw bug;
        }))) {
            RawClient.Reply reply = ask(house, "GET " + OWN + "/services", TestHouse.GOOD);
            assertThat(reply.status()).isEqualTo(500);
            assertThat(withoutId(reply))
                    .isEqualTo("{\"status\":500,\"error\":\"INTERNAL_ERROR: Something went wrong, and it was logged\","
                            + "\"requestId\":\"ID\"}");
            assertThat(house.failures).containsExactly(bug);
            assertThat(house.onlyRecord().status()).isEqualTo(500);
        }
    }

    @Test
    void problemJsonIsThereForWhoTakesNothingElse() throws IOException {
        Route create = route("create", Verb.POST, "/services", Permission.SERVICE_WRITE, request -> {
            request.object();
            return request.done();
        });
        try (TestHouse house = TestHouse.of(create)) {
            RawClient.Reply reply = post(
                    house,
                    OWN + "/services",
                    "Content-Type: application/json\r\nAccept: application/problem+json\r\n",
                    "{");
            assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(withoutId(reply))
                    .isEqualTo(
                            "{\"type\":\"about:blank\",\"title\":\"BAD_REQUEST\",\"status\":400,"
                                    + "\"detail\":\"is not one valid JSON object at line 1, column 2\","
                                    + "\"error\":\"BAD_REQUEST: is not one valid JSON object at line 1, column 2\",\"requestId\":\"ID\","
                                    + "\"details\":[{\"path\":\"\",\"message\":\"is not one valid JSON object at line 1, column 2\"}]}");
        }
    }

    @Test
    void unknownPathsNeedNoKeyToBeUnknown() throws IOException {
        try (TestHouse house = TestHouse.of(get("/services", request -> request.done()))) {
            RawClient.Reply reply = ask(house, "GET /v2/nowhere", "");
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.body()).contains("NOT_FOUND: ").doesNotContain("cannot get ");
            assertThat(house.onlyRecord().operationId()).isNull();
        }
    }

    @Test
    void aPublicRouteNeedsNoCredentials() throws IOException {
        try (TestHouse house =
                TestHouse.of(TestHouse.open("/open", exchange -> Answer.text(200, "text/plain", "in")))) {
            assertThat(ask(house, "GET /open", "").body()).isEqualTo("in");
        }
    }

    @Test
    void ifNoneMatchSavesTheBody() throws IOException {
        String tag = EntityTags.of("{}".getBytes(StandardCharsets.UTF_8));
        try (TestHouse house = TestHouse.of(get(
                "/services",
                request -> request.one("7", (out, _) -> {
                    out.startObject();
                    out.endObject();
                })))) {
            RawClient.Reply reply = ask(
                    house, "GET " + OWN + "/services", TestHouse.GOOD + "If-None-Match: \"6\", W/\"" + tag + "\"\r\n");
            assertThat(reply.status()).isEqualTo(304);
            assertThat(reply.header("ETag")).isEqualTo(EntityTags.quote(tag));
            assertThat(reply.header("X-Request-Id")).isNotNull();
            assertThat(ask(house, "GET " + OWN + "/services", TestHouse.GOOD + "If-None-Match: \"6\"\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(ask(house, "GET " + OWN + "/services", TestHouse.GOOD + "If-None-Match: 7\r\n")
                            .status())
                    .as("unreadable")
                    .isEqualTo(200);
        }
    }

    @Test
    void anIdempotencyKeyIsVisibleAsciiOfLimitedLength() throws IOException {
        Route create = route("create", Verb.POST, "/services", Permission.SERVICE_WRITE, request -> {
            String key = request.idempotencyKey();
            return Answer.text(200, "text/plain", key == null ? "none" : key);
        });
        try (TestHouse house = TestHouse.of(create)) {
            String path = OWN + "/services";
            assertThat(post(house, path, "", null).body()).isEqualTo("none");
            String longest = "k".repeat(255);
            assertThat(post(house, path, "Idempotency-Key: " + longest + "\r\n", null)
                            .body())
                    .isEqualTo(longest);
            for (String wrong : new String[] {
                "Idempotency-Key: \r\n",
                "Idempotency-Key: " + "k".repeat(256) + "\r\n",
                "Idempotency-Key: a b\r\n",
                "Idempotency-Key: a\u00e9\r\n",
                "Idempotency-Key: a\r\nIdempotency-Key: b\r\n"
            }) {
                RawClient.Reply reply = post(house, path, wrong, null);
                assertThat(reply.status()).as(wrong).isEqualTo(400);
            }
        }
    }
}
