package io.pilothouse.testkit.api;

import io.pilothouse.core.right.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks every exchange of a listener, whatever a test is about: the answer fits the document, its id is new and its
 * own, the right that the route names was checked, no secret is shown twice, and a tag stands for one representation.
 * Safe for many threads.
 */
final class ApiJudge {
    /** Statuses that a request meets before its caller's right is known. */
    private static final Set<Integer> BEFORE_THE_RIGHT = Set.of(401, 403, 404, 405, 408, 414);

    private final Contract contract;
    private final ApiLedger ledger;
    private final ApiSecrets secrets;
    private final Map<String, Optional<Permission>> rights;
    private final boolean envelope;
    private final Set<UUID> ids = ConcurrentHashMap.newKeySet();
    private final Map<String, JsonNode> tagged = new ConcurrentHashMap<>();

    /** {@code rights} has the right of each operation, empty for one that is public. */
    ApiJudge(
            Contract contract,
            ApiLedger ledger,
            ApiSecrets secrets,
            Map<String, Optional<Permission>> rights,
            boolean envelope) {
        this.contract = contract;
        this.ledger = ledger;
        this.secrets = secrets;
        this.rights = Map.copyOf(rights);
        this.envelope = envelope;
    }

    Contract contract() {
        return contract;
    }

    /** The ids of every answer so far. */
    Set<UUID> ids() {
        return Set.copyOf(ids);
    }

    /** All violations of an exchange; {@code mayFail} allows a 5xx, which the test is about. */
    List<String> faults(ApiExchange exchange, boolean mayFail) {
        List<String> faults = new ArrayList<>(contract.check(exchange.toContract()));
        faults.addAll(faultsOfAnyAnswer(exchange, mayFail));
        String path = exchange.path();
        Optional<String> operation = contract.operationFor(exchange.method(), path);
        checkTag(operation.orElse(path), exchange, faults);
        return faults;
    }

    /** The same for a request of which only the answer is known. */
    List<String> faultsOfRaw(ApiExchange exchange) {
        List<String> faults = new ArrayList<>(contract.withoutRequestChecks().check(exchange.toContract()));
        faults.addAll(faultsOfAnyAnswer(exchange, false));
        return faults;
    }

    /** The same for a request that may be no HTTP at all, so that no document can speak of it. */
    List<String> faultsOfAnyAnswer(ApiExchange exchange, boolean mayFail) {
        List<String> faults = new ArrayList<>();
        ApiAnswer answer = exchange.answer();
        if (answer.status() >= 500 && !mayFail) {
            faults.add("the server failed");
        }
        checkSecrets(exchange, faults);
        UUID requestId = requestId(answer.header("x-request-id"), faults);
        if (requestId == null) {
            return faults;
        }
        if (!exchange.isReplay() && !ids.add(requestId)) {
            faults.add("another request had the same id");
        }
        checkShape(exchange, requestId, faults);
        checkRight(exchange, requestId, faults);
        return faults;
    }

    private static @Nullable UUID requestId(@Nullable String text, List<String> faults) {
        try {
            UUID id = UUID.fromString(text == null ? "" : text);
            if (id.version() == 4 && id.toString().equals(text)) {
                return id;
            }
        } catch (IllegalArgumentException notAnId) {
            // Reported below.
        }
        faults.add("X-Request-Id is no UUID of version 4: " + text);
        return null;
    }

    private void checkSecrets(ApiExchange exchange, List<String> faults) {
        ApiAnswer answer = exchange.answer();
        secrets.learnFromRequest(exchange.requestBody());
        // A replay repeats another answer, for the only caller who can prove that it was its own.
        if (!exchange.isReplay()) {
            faults.addAll(secrets.leaksIn(answer.text()));
            if (answer.status() == 200
                    && secrets.learn(answer.json())
                    && !"no-store".equals(answer.header("cache-control"))) {
                faults.add("it shows a secret and lets others keep it");
            }
        }
    }

    private void checkShape(ApiExchange exchange, UUID requestId, List<String> faults) {
        ApiAnswer answer = exchange.answer();
        String path = exchange.path();
        boolean hasBody = !exchange.method().equals("HEAD") && answer.status() != 304;
        boolean text = String.valueOf(answer.header("content-type")).startsWith("text/plain");
        if (!envelope || !hasBody || text || path.endsWith("/openapi.json")) {
            return;
        }
        JsonNode json = answer.json();
        if (json.isArray()) {
            // The document says which operation may answer without an envelope.
            return;
        }
        if (!json.path("requestId").asString("").equals(requestId.toString())) {
            faults.add("requestId is not the one of X-Request-Id");
        }
        if (!json.path("status").isInt() || json.path("status").asInt() != answer.status()) {
            faults.add("the status in the body is not that of the answer");
        }
        if (answer.status() >= 400 && !json.path("error").asString("").matches("(?s)[A-Z]+(_[A-Z]+)*: .+")) {
            faults.add("error does not begin with a code word");
        }
        if (json.has("details") && answer.status() != 400) {
            faults.add("details belong to invalid requests only");
        }
    }

    private void checkRight(ApiExchange exchange, UUID requestId, List<String> faults) {
        ApiLedger.Note note = ledger.await(requestId);
        int status = exchange.answer().status();
        if (note == null) {
            faults.add("the program has no record of it");
            return;
        }
        if (note.status() != status && !exchange.isReplay()) {
            faults.add("the program recorded the status " + note.status());
        }
        String operationId = note.operationId();
        if (operationId == null) {
            if (status < 400) {
                faults.add("it succeeded without an operation");
            }
            return;
        }
        Optional<Permission> wanted = rights.get(operationId);
        if (wanted == null) {
            faults.add(operationId + " is no operation of this listener");
        } else if (note.permission() != null || !BEFORE_THE_RIGHT.contains(status)) {
            if (!wanted.equals(Optional.ofNullable(note.permission()))) {
                faults.add("the right that was checked is " + note.permission() + " and not " + wanted);
            }
        }
        boolean knownCaller = note.keyId() != null;
        if (note.permission() != null && !knownCaller) {
            faults.add("a right was checked without a caller");
        }
        if (status == 401 && knownCaller) {
            faults.add("a caller was known and yet refused as unknown");
        }
    }

    /** One entity tag of one thing never stands for two representations of it. */
    private void checkTag(String where, ApiExchange exchange, List<String> faults) {
        String tag = exchange.answer().header("etag");
        JsonNode result = exchange.answer().json().path("result");
        String id = result.path("id").asString("");
        if (tag == null || id.isEmpty() || exchange.answer().status() != 200) {
            return;
        }
        JsonNode known = tagged.putIfAbsent(id + " " + tag, result);
        if (known != null && !known.equals(result)) {
            faults.add(where + " has two representations under the tag " + tag);
        }
    }
}
