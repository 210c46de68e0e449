package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The order in which a request is refused, and the shape of every refusal. */
class RefusalTest {
    private static final String NOWHERE = "00000000-0000-4000-8000-000000000000";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    @Test
    void aRefusalHasAStatusAnErrorAndAnIdAndDetailsOnlyWhenTheRequestWasWrong() {
        assertThat(names(tenant.admin().get(tenant.service(NOWHERE)).json()))
                .containsExactlyInAnyOrder("status", "error", "requestId");
        ApiAnswer wrong = tenant.create("{'name': 5, 'region': 7}");
        assertThat(names(wrong.json())).containsExactlyInAnyOrder("status", "error", "requestId", "details");
        for (JsonNode fault : wrong.json().path("details")) {
            assertThat(names(fault)).containsExactlyInAnyOrder("path", "message");
        }
    }

    @Test
    void aClientThatTakesNothingElseGetsProblemJson() {
        ApiCaller strict = tenant.admin().with("Accept", "application/problem+json");
        ApiAnswer wrong = strict.post(tenant.services(), "{'name': 5}");
        assertThat(wrong.need("content-type")).isEqualTo("application/problem+json");
        JsonNode problem = wrong.json();
        ApiJson.assertSame(problem.path("type"), "'about:blank'");
        ApiJson.assertSame(problem.path("status"), "400");
        assertThat(problem.path("title").asString()).isNotEmpty();
        assertThat(problem.path("detail").asString()).isNotEmpty();
        ApiJson.assertSame(problem.path("details").get(0).path("path"), "'name'");
        assertThat(strict.get("/nowhere").need("content-type")).isEqualTo("application/problem+json");
        assertThat(strict.get(tenant.path()).need("content-type")).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/json",
                "application/problem+json, application/json;q=0.1",
                "text/html",
                "application/*"
            })
    void everyOtherClientGetsTheOrdinaryShape(String accept) {
        assertThat(tenant.admin().with("Accept", accept).get("/nowhere").need("content-type"))
                .isEqualTo("application/json");
    }

    @Test
    void aPathMayEndWithASlash() {
        JsonNode service = tenant.made("{}");
        assertThat(tenant.admin().get(tenant.services() + "/").ok())
                .isEqualTo(tenant.admin().get(tenant.services()).ok());
        assertThat(tenant.admin().get(tenant.service(service) + "/").ok()).isEqualTo(tenant.get(service));
        ApiCaller once = tenant.admin().with("Idempotency-Key", "one");
        assertThat(once.post(tenant.services() + "/", "{}").ok())
                .isEqualTo(once.post(tenant.services(), "{}").ok());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v2/organizations",
                "/v1/organizations//",
                "/v1/organizations//services",
                "/v1/Organizations",
                "/favicon.ico",
                "/v1/organizations/x/services/y/z",
                "/metrics",
                "/healthz"
            })
    void everyUnknownPathAnswersJson(String path) {
        for (String method : List.of("GET", "POST", "DELETE", "OPTIONS")) {
            tenant.admin()
                    .send(method, path, method.equals("POST") ? "{}" : null)
                    .refused(404, "NOT_FOUND");
            house.nobody()
                    .send(method, path, method.equals("POST") ? "{}" : null)
                    .refused(404, "NOT_FOUND");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/organizations | GET, HEAD, POST",
                "/v1/organizations/X | GET, HEAD, PATCH",
                "/v1/organizations/X/services | GET, HEAD, POST",
                "/v1/organizations/X/services/X | GET, HEAD, PATCH, DELETE",
                "/v1/organizations/X/services/X/state | PATCH",
                "/v1/organizations/X/services/X/privateEndpoint | POST",
                "/v1/organizations/X/keys/X | GET, HEAD, PATCH, DELETE"
            })
    void aMethodThatAPathDoesNotHaveIsAnsweredWithThoseItHas(String path, String allowed) {
        List<String> allow = List.of(allowed.split(", "));
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")) {
            if (!allow.contains(method)) {
                ApiAnswer answer = house.nobody().send(method, path, method.startsWith("P") ? "{}" : null);
                answer.refused(405, "METHOD_NOT_ALLOWED");
                assertThat(answer.need("allow").split(", ")).containsExactlyInAnyOrderElementsOf(allow);
            }
        }
    }

    @Test
    void headAnswersAsGetDoesWithoutABody() {
        JsonNode service = tenant.made("{}");
        house.settle();
        ApiAnswer got = tenant.admin().get(tenant.service(service));
        ApiAnswer head = tenant.admin().send("HEAD", tenant.service(service), (String) null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.need("etag")).isEqualTo(got.need("etag"));
        assertThat(head.need("content-length")).isEqualTo(got.need("content-length"));
        assertThat(tenant.admin()
                        .send("HEAD", tenant.service(NOWHERE), (String) null)
                        .status())
                .isEqualTo(404);
        assertThat(house.nobody().send("HEAD", tenant.services(), (String) null).status())
                .isEqualTo(401);
    }

    @Test
    void credentialsComeFirstThenTheOrganizationThenTheRightThenTheRequestThenTheThing() {
        ApiCaller reader = tenant.as("query_endpoints");
        ApiCaller stranger = house.tenant().admin();
        String nowhere = tenant.service(NOWHERE);
        String wrong = "{'name': 5}";
        house.nobody().with("Content-Type", "text/plain").patch(nowhere, wrong).refused(401, "UNAUTHORIZED");
        stranger.with("Content-Type", "text/plain").patch(nowhere, wrong).refused(404, "NOT_FOUND");
        stranger.patch("/v1/organizations/" + tenant.id() + "/services/no-uuid", wrong)
                .refused(404, "NOT_FOUND");
        reader.with("Content-Type", "text/plain").patch(nowhere, wrong).refused(403, "FORBIDDEN");
        tenant.admin().with("Content-Type", "text/plain").patch(nowhere, wrong).refused(415, "UNSUPPORTED_MEDIA_TYPE");
        tenant.admin().patch(nowhere, "x".repeat(1024 * 1024 + 1)).refused(413, "PAYLOAD_TOO_LARGE");
        tenant.admin().patch(nowhere, "{").refused(400, "BAD_REQUEST");
        tenant.admin().patch(nowhere, wrong).faultsAt("name");
        tenant.admin().patch(nowhere, "{'name': 'Good'}").refused(404, "NOT_FOUND");
    }

    @Test
    void aMissingThingIsReportedBeforeAStateThatDoesNotAllowIt() {
        JsonNode running = tenant.made("{}");
        house.settle();
        tenant.admin()
                .patch(tenant.service(NOWHERE) + "/state", "{'command': 'x'}")
                .faultsAt("command");
        tenant.admin()
                .patch(tenant.service(NOWHERE) + "/state", "{'command': 'stop'}")
                .refused(404, "NOT_FOUND");
        tenant.delete(running).refused(409, "CONFLICT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "0",
                "00000000-0000-4000-8000-00000000000",
                "00000000-0000-4000-8000-0000000000000",
                "00000000_0000_4000_8000_000000000000",
                "0-0-0-0-0",
                "%7B00000000-0000-4000-8000-000000000000%7D",
                "00000000-0000-4000-8000-00000000000g",
                "..%2f..%2fetc",
                "%00",
                "%ff"
            })
    void aServiceIdThatIsNoUuidIsAFaultOfThePath(String id) {
        tenant.admin().get(tenant.service(id)).faultsAt("path.serviceId");
        tenant.admin().delete(tenant.service(id)).faultsAt("path.serviceId");
        tenant.admin().get(tenant.keys() + "/" + id).faultsAt("path.keyId");
        tenant.admin().get("/v1/organizations/" + id).refused(404, "NOT_FOUND");
    }

    @Test
    void anIdIsTakenInAnyCaseOfItsDigits() {
        JsonNode service = tenant.made("{}");
        String id = service.path("id").asString();
        assertThat(tenant.admin()
                        .get(tenant.service(id.toUpperCase(Locale.ROOT)))
                        .ok()
                        .path("id")
                        .asString())
                .isEqualTo(id);
    }

    @Test
    void aForeignThingIsAnsweredExactlyAsAMissingOne() {
        Tenant stranger = house.tenant();
        JsonNode foreign = stranger.made("{}");
        String foreignKey = stranger.newKey("developer").path("key").path("id").asString();
        requireSame(tenant.admin().get(stranger.path()), tenant.admin().get("/v1/organizations/" + NOWHERE));
        requireSame(tenant.admin().get(tenant.service(foreign)), tenant.admin().get(tenant.service(NOWHERE)));
        requireSame(
                tenant.admin().delete(tenant.service(foreign)), tenant.admin().delete(tenant.service(NOWHERE)));
        requireSame(
                tenant.admin().get(tenant.keys() + "/" + foreignKey),
                tenant.admin().get(tenant.keys() + "/" + NOWHERE));
    }

    private static void requireSame(ApiAnswer foreign, ApiAnswer missing) {
        foreign.refused(404, "NOT_FOUND");
        assertThat(withoutId(foreign)).isEqualTo(withoutId(missing));
    }

    static String withoutId(ApiAnswer answer) {
        return answer.text().replace(answer.need("x-request-id"), "the request's id");
    }
}
