package io.pilothouse.server.api;

import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What a walk over the limits of an interface is sent to, and how that interface tells faults. */
interface LimitGround {
    /** Who asks, and for what. */
    record Target(ApiCaller caller, String path) {}

    /** The good bodies of an operation. */
    List<JsonNode> bodies(Route route);

    /** Something new to change, for a request like this one. */
    Target target(Route route, JsonNode body);

    /** The places of the faults that an answer tells. */
    List<String> faults(ApiAnswer answer);

    /** Good values of parameters. */
    default JsonNode parameters(Set<String> names) {
        return ApiJson.read(names.stream()
                .map(name -> "'" + name + "': "
                        + switch (name) {
                            case "limit", "offset" -> "10";
                            case "filter" -> "['tag:a=b']";
                            // Of costs, which are by day, or of activities.
                            case "from_date", "to_date" ->
                                names.contains("filter") ? "'2026-01-01'" : "'2026-01-01T00:00:00Z'";
                            case "filtered_metrics" -> "true";
                            case "If-Match", "If-None-Match" -> "'*'";
                            case "Idempotency-Key" -> "'unique'";
                            default -> throw new AssertionError("Nothing here gives a " + name);
                        })
                .collect(Collectors.joining(", ", "{", "}")));
    }
}
