package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge finds every violation that it exists for, and none in a correct exchange. */
final class ApiJudgeTest {
    private static final String THING = "/v1/things/1";
    private static final Contract CONTRACT = Contract.of("""
            {"openapi": "3.1.1", "info": {"title": "Things", "version": "1"}, "paths": {
              "/v1/things/{thingId}": {"get": {"operationId": "thingGet", "responses": {
                "200": {"description": "A thing", "content": {"application/json": {"schema": {"type": "object"}}}},
                "400": {"description": "No", "content": {"application/json": {"schema": {"type": "object"}}}},
                "401": {"description": "Who?", "content": {"application/json": {"schema": {"type": "object"}}}},
                "500": {"description": "Oh", "content": {"application/json": {"schema": {"type": "object"}}}}}}}}}
            """.getBytes(StandardCharsets.UTF_8));

    private final ApiLedger ledger = new ApiLedger();
    private final ApiSecrets secrets = new ApiSecrets();
    private final ApiJudge judge =
            new ApiJudge(CONTRACT, ledger, secrets, Map.of("thingGet", Optional.of(Permission.SERVICE_READ)), true);
    private final UUID id = UUID.randomUUID();

    private void note(int status, @Nullable Permission permission, @Nullable UUID keyId) {
        ledger.add(new ApiLedger.Note(id, "thingGet", permission, keyId, status));
    }

    private void noteGood(int status) {
        note(status, Permission.SERVICE_READ, UUID.randomUUID());
    }

    private static String envelope(int status, UUID requestId, String rest) {
        return "{\"status\": " + status + ", \"requestId\": \"" + requestId + "\", " + rest + "}";
    }

    private List<String> faults(int status, String body, String... headers) {
        return faultsAfter(null, status, body, headers);
    }

    private List<String> faultsAfter(@Nullable String request, int status, String body, String... headers) {
        Map<String, List<String>> all = new HashMap<>();
        all.put("content-type", List.of("application/json"));
        all.put("x-request-id", List.of(id.toString()));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], List.of(headers[i + 1]));
        }
        ApiAnswer answer = new ApiAnswer("GET " + THING, status, all, body);
        return judge.faults(new ApiExchange("GET", THING, ApiCredentials.NONE, null, request, answer), false);
    }

    @Test
    void aGoodAnswerIsGood() {
        noteGood(200);
        assertThat(faults(200, envelope(200, id, "\"result\": {\"id\": \"a\"}"), "etag", "\"1\""))
                .isEmpty();
    }

    @Test
    void aStatusThatIsNotDocumentedIsFound() {
        noteGood(202);
        assertThat(faults(202, envelope(202, id, "\"result\": {}"))).anyMatch(fault -> fault.contains("not declared"));
    }

    @Test
    void aFailureIsFoundUnlessTheTestIsAboutIt() {
        noteGood(500);
        String body = envelope(500, id, "\"error\": \"INTERNAL_ERROR: x\"");
        assertThat(faults(500, body)).containsExactly("the server failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "00000000-0000-1000-8000-000000000000"})
    void anIdThatIsNoRandomUuidIsFound(String wrong) {
        assertThat(faults(200, envelope(200, id, "\"result\": {}"), "x-request-id", wrong))
                .singleElement()
                .asString()
                .startsWith("X-Request-Id is no UUID");
    }

    @Test
    void anIdThatIsUsedTwiceIsFound() {
        noteGood(200);
        faults(200, envelope(200, id, "\"result\": {}"));
        assertThat(faults(200, envelope(200, id, "\"result\": {}"))).containsExactly("another request had the same id");
        assertThat(faults(200, envelope(200, id, "\"result\": {}"), "idempotency-replayed", "true"))
                .isEmpty();
    }

    @Test
    void aBodyThatDoesNotSayWhatTheHeadSaysIsFound() {
        noteGood(200);
        assertThat(faults(200, envelope(201, UUID.randomUUID(), "\"result\": {}")))
                .containsExactlyInAnyOrder(
                        "requestId is not the one of X-Request-Id", "the status in the body is not that of the answer");
    }

    @Test
    void anErrorWithoutACodeWordIsFound() {
        noteGood(400);
        assertThat(faults(400, envelope(400, id, "\"error\": \"it went wrong\"")))
                .containsExactly("error does not begin with a code word");
    }

    @Test
    void aRequestOfWhichTheProgramKnowsNothingIsFound() {
        ApiLedger other = new ApiLedger();
        other.add(new ApiLedger.Note(UUID.randomUUID(), "thingGet", null, null, 200));
        Thread.currentThread().interrupt();
        assertThat(faults(200, envelope(200, id, "\"result\": {}"))).containsExactly("the program has no record of it");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSuccessWithoutAnyRightIsFound() {
        note(200, null, UUID.randomUUID());
        assertThat(faults(200, envelope(200, id, "\"result\": {}")))
                .containsExactly("the right that was checked is null and not Optional[SERVICE_READ]");
    }

    @Test
    void anotherRightThanTheRoutesIsFound() {
        note(200, Permission.SERVICE_WRITE, UUID.randomUUID());
        assertThat(faults(200, envelope(200, id, "\"result\": {}")))
                .singleElement()
                .asString()
                .contains("SERVICE_WRITE and not Optional[SERVICE_READ]");
    }

    @Test
    void aRightWithoutACallerIsFound() {
        note(200, Permission.SERVICE_READ, null);
        assertThat(faults(200, envelope(200, id, "\"result\": {}")))
                .containsExactly("a right was checked without a caller");
    }

    @Test
    void aKnownCallerWhoIsCalledUnknownIsFound() {
        note(401, null, UUID.randomUUID());
        assertThat(faults(401, envelope(401, id, "\"error\": \"UNAUTHORIZED: x\"")))
                .containsExactly("a caller was known and yet refused as unknown");
    }

    @Test
    void anUnknownCallerNeedsNoRightToBeRefused() {
        note(401, null, null);
        assertThat(faults(401, envelope(401, id, "\"error\": \"UNAUTHORIZED: x\"")))
                .isEmpty();
    }

    @Test
    void aSecretThatIsShownAgainIsFound() {
        secrets.learn("password", "correct horse");
        noteGood(200);
        assertThat(faults(200, envelope(200, id, "\"result\": {\"name\": \"the correct horse!\"}")))
                .containsExactly("shows a password");
    }

    @Test
    void aSecretThatARequestBroughtIsNotSaidBack() {
        noteGood(400);
        String answer = envelope(400, id, "\"error\": \"BAD_REQUEST: 'correct horse' is no password\"");
        assertThat(faultsAfter("{\"a\": [{\"password\": \"correct horse\"}]}", 400, answer))
                .containsExactly("shows a password");
    }

    @Test
    void aSecretThatAnAnswerShowsIsKnownFromThenOn() {
        noteGood(200);
        String shown = envelope(200, id, "\"result\": {\"key\": {\"keySecret\": \"battery staple\"}}");
        assertThat(faults(200, shown, "cache-control", "no-store")).isEmpty();
        assertThat(secrets.leaksIn("a log line with battery staple")).containsExactly("shows a keySecret");
        assertThat(secrets.leaksIn("a log line")).isEmpty();
    }

    @Test
    void anAnswerThatShowsASecretMustNotBeKept() {
        noteGood(200);
        assertThat(faults(200, envelope(200, id, "\"result\": {\"password\": \"battery staple\"}")))
                .containsExactly("it shows a secret and lets others keep it");
    }

    @Test
    void twoRepresentationsUnderOneTagAreFound() {
        noteGood(200);
        faults(200, envelope(200, id, "\"result\": {\"id\": \"a\", \"name\": \"one\"}"), "etag", "\"1\"");
        assertThat(faults(200, envelope(200, id, "\"result\": {\"id\": \"a\", \"name\": \"two\"}"), "etag", "\"1\""))
                .contains("thingGet has two representations under the tag \"1\"");
    }

    @Test
    void anAnswerShowsNoSecretWhenItIsPrinted() {
        ApiAnswer answer = new ApiAnswer("POST /", 200, Map.of(), "{\"keyId\": \"a\", \"keySecret\":\"s3cr3t\"}");
        assertThat(answer.toString()).contains("keyId").doesNotContain("s3cr3t");
        assertThat(ApiCredentials.basic("id", "s3cr3t").toString()).doesNotContain("s3cr3t", "czNjcjN0");
    }
}
