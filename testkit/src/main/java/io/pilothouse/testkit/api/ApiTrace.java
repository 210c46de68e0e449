package io.pilothouse.testkit.api;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares every write with the history: a change left an activity of that very request, and a refused or empty request
 * changed nothing and left none. It reads with the first key of each organization.
 */
final class ApiTrace {
    private static final int ORGANIZATION_SEGMENTS = 4;

    private final Map<String, ApiCredentials> admins = new ConcurrentHashMap<>();
    /** When the newest activity that was read happened: older ones need not be read again. */
    private final Map<String, String> newest = new ConcurrentHashMap<>();

    private final Contract contract;
    private volatile @Nullable String home;

    ApiTrace(Contract contract) {
        this.contract = contract;
    }

    /** Reads as the caller with these credentials, and judges the answers. */
    interface Reader {
        ApiAnswer read(ApiCredentials credentials, String path);
    }

    /** How an organization's things were before a write, by the path of each. */
    record Before(String organizationId, Map<String, JsonNode> things) {}

    void know(String organizationId, ApiCredentials admin) {
        admins.putIfAbsent(organizationId, admin);
    }

    /** The organization that gets the activities of no organization. */
    void knowHome(String organizationId, ApiCredentials admin) {
        know(organizationId, admin);
        home = organizationId;
    }

    /** A new organization answers with its first key. */
    void learn(ApiExchange exchange) {
        JsonNode result = exchange.answer().json().path("result");
        String id = result.path("organization").path("id").asString("");
        JsonNode key = result.path("key");
        if (!id.isEmpty() && key.has("keySecret")) {
            know(
                    id,
                    ApiCredentials.basic(
                            key.path("keyId").asString(), key.path("keySecret").asString()));
        }
    }

    /** Null if nothing can be read, because the organization is unknown. */
    @Nullable
    Before before(String path, Reader reader) {
        String organizationId = organizationOf(path);
        if (organizationId == null || !admins.containsKey(organizationId)) {
            return null;
        }
        return new Before(organizationId, things(path, organizationId, reader));
    }

    private @Nullable String organizationOf(String path) {
        String[] segments = path.split("/", -1);
        return segments.length < ORGANIZATION_SEGMENTS ? home : segments[ORGANIZATION_SEGMENTS - 1];
    }

    private Map<String, JsonNode> things(String path, String organizationId, Reader reader) {
        Map<String, JsonNode> things = new LinkedHashMap<>();
        String[] segments = path.split("/", -1);
        for (int length = ORGANIZATION_SEGMENTS; length <= segments.length; length++) {
            String prefix = String.join("/", List.of(segments).subList(0, length));
            boolean item = length % 2 == 0;
            // A thing that cannot be read by itself still shows in its collection.
            boolean unreadable = !item && length < segments.length && !isServed(prefix + "/x");
            if ((item || length == segments.length || unreadable) && isServed(prefix)) {
                ApiAnswer answer = reader.read(admin(organizationId), prefix);
                JsonNode shown = answer.status() == 200
                        ? lasting(answer.json().path("result"))
                        : answer.json().path("status");
                things.put(prefix, shown);
            }
        }
        return things;
    }

    private boolean isServed(String path) {
        return contract.operationFor("GET", path).isPresent();
    }

    private ApiCredentials admin(String organizationId) {
        return admins.getOrDefault(organizationId, ApiCredentials.NONE);
    }

    /** Looking is using, so when a key was last used changes without any write. */
    private static JsonNode lasting(JsonNode result) {
        JsonNode copy = result.deepCopy();
        if (copy instanceof ObjectNode object) {
            object.remove("usedAt");
        }
        if (copy instanceof ArrayNode array) {
            array.valueStream().filter(JsonNode::isObject).forEach(item -> ((ObjectNode) item).remove("usedAt"));
        }
        return copy;
    }

    /** The violations in how a write was recorded in the history. */
    List<String> faults(ApiExchange exchange, Before before, Reader reader) {
        Map<String, JsonNode> after = things(exchange.path(), before.organizationId(), reader);
        List<String> changed = differences(before.things(), after);
        boolean done = exchange.answer().status() == 200;
        if ((exchange.isReplay() || !done) && !changed.isEmpty()) {
            return List.of("it was not done and yet changed " + changed);
        }
        if (exchange.isReplay()) {
            return List.of();
        }
        boolean made = done && (isNewOrganization(exchange) || isNewPassword(exchange));
        UUID requestId = UUID.fromString(exchange.answer().need("x-request-id"));
        List<JsonNode> lines = lines(before.organizationId(), requestId, reader);
        if (lines.isEmpty() && (made || !changed.isEmpty())) {
            return List.of("it left no activity");
        }
        if (!lines.isEmpty() && !made && (!done || after.equals(before.things()))) {
            return List.of("it changed nothing and left activities: " + lines);
        }
        return List.of();
    }

    /** Making an organization shows in none that can be looked at. */
    private static boolean isNewOrganization(ApiExchange exchange) {
        return exchange.method().equals("POST") && exchange.path().equals("/v1/organizations");
    }

    /** A password is shown nowhere, and setting it is recorded even if it stays the same. */
    private static boolean isNewPassword(ApiExchange exchange) {
        return exchange.method().equals("PATCH") && exchange.path().endsWith("/password");
    }

    private List<JsonNode> lines(String organizationId, UUID requestId, Reader reader) {
        String since = newest.getOrDefault(organizationId, "");
        String path = "/v1/organizations/" + organizationId + "/activities?from_date=" + since;
        List<JsonNode> lines = new ArrayList<>();
        for (JsonNode line : reader.read(admin(organizationId), path).ok()) {
            newest.merge(organizationId, line.path("createdAt").asString(), ApiTrace::later);
            if (line.path("requestId").asString("").equals(requestId.toString())) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static String later(String one, String other) {
        return Instant.parse(one).isAfter(Instant.parse(other)) ? one : other;
    }

    /** The paths of the values that differ from before. */
    private static List<String> differences(Map<String, JsonNode> before, Map<String, JsonNode> after) {
        List<String> paths = new ArrayList<>();
        before.forEach((path, thing) -> {
            if (!thing.equals(after.get(path))) {
                paths.add(path);
            }
        });
        return paths;
    }
}
