package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A write that is missing in the history, or wrong there, is found. */
final class ApiTraceTest {
    private static final String HOME = "/v1/organizations/o";
    private static final String THING = HOME + "/things/1";
    private static final Contract CONTRACT = Contract.of("""
            {"openapi": "3.1.1", "info": {"title": "Things", "version": "1"}, "paths": {
              "/v1/organizations/{o}": {"get": {"operationId": "homeGet", "responses": {}}},
              "/v1/organizations/{o}/things/{t}": {"get": {"operationId": "thingGet", "responses": {}},
                "patch": {"operationId": "thingUpdate", "responses": {}}}}}
            """.getBytes(StandardCharsets.UTF_8));

    private final ApiTrace trace = new ApiTrace(CONTRACT);
    private final Map<String, String> world =
            new HashMap<>(Map.of(HOME, "{\"name\": \"a\"}", THING, "{\"name\": \"b\"}"));
    private final UUID id = UUID.randomUUID();
    private String activities = "[]";

    private ApiAnswer read(ApiCredentials credentials, String path) {
        String result = path.contains("/activities") ? activities : world.get(path);
        return answer(200, "{\"status\": 200, \"result\": " + result + "}", Map.of());
    }

    private static ApiAnswer answer(int status, String body, Map<String, List<String>> headers) {
        Map<String, List<String>> all = new HashMap<>(headers);
        all.put("content-type", List.of("application/json"));
        return new ApiAnswer("a test", status, all, body);
    }

    private List<String> faults(int status, Runnable write, String... replay) {
        trace.know("o", ApiCredentials.NONE);
        ApiTrace.Before before = Objects.requireNonNull(trace.before(THING, this::read));
        write.run();
        Map<String, List<String>> headers = new HashMap<>(Map.of("x-request-id", List.of(id.toString())));
        for (String name : replay) {
            headers.put(name, List.of("true"));
        }
        ApiAnswer answer = answer(status, "{}", headers);
        return trace.faults(
                new ApiExchange("PATCH", THING, ApiCredentials.NONE, null, null, answer), before, this::read);
    }

    private void change() {
        world.put(THING, "{\"name\": \"c\"}");
    }

    private void record(UUID requestId) {
        activities = "[{\"requestId\": \"" + requestId + "\", \"createdAt\": \"2026-01-01T00:00:00Z\"}]";
    }

    @Test
    void aChangeThatIsRecordedIsGoodAndSoIsNoChangeThatIsNot() {
        assertThat(faults(200, () -> {})).isEmpty();
        assertThat(faults(400, () -> {})).isEmpty();
        assertThat(faults(200, () -> {
                    change();
                    record(id);
                }))
                .isEmpty();
    }

    @Test
    void aChangeThatIsNotRecordedIsFound() {
        assertThat(faults(200, this::change)).containsExactly("it left no activity");
        assertThat(faults(200, () -> {
                    world.put(HOME, "{\"name\": \"another\"}");
                    record(UUID.randomUUID());
                }))
                .as("recorded under another request's id")
                .containsExactly("it left no activity");
    }

    @Test
    void noChangeThatIsRecordedIsFound() {
        assertThat(faults(200, () -> record(id)))
                .singleElement()
                .asString()
                .startsWith("it changed nothing and left activities");
    }

    @Test
    void aRefusalThatChangesOrRecordsIsFound() {
        assertThat(faults(409, this::change)).containsExactly("it was not done and yet changed [" + THING + "]");
        assertThat(faults(409, () -> record(id))).hasSize(1);
    }

    @Test
    void aReplayThatChangesIsFound() {
        assertThat(faults(200, this::change, "idempotency-replayed")).hasSize(1);
        assertThat(faults(200, () -> {}, "idempotency-replayed")).isEmpty();
    }

    @Test
    void whenSomethingWasUsedIsNoChange() {
        world.put(THING, "{\"name\": \"b\", \"usedAt\": \"2026-01-01T00:00:00Z\"}");
        assertThat(faults(200, () -> world.put(THING, "{\"name\": \"b\", \"usedAt\": \"2026-01-01T00:05:00Z\"}")))
                .isEmpty();
    }

    @Test
    void aRequestOfAnUnknownKeyIsNotLookedAt() {
        assertThat(trace.before("/v1/organizations/unknown/things/1", this::read))
                .isNull();
        assertThat(trace.before("/v1/organizations", this::read)).isNull();
    }
}
