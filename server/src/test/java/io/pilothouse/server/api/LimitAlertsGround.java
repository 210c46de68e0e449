package io.pilothouse.server.api;

import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Alerts, dashboards and webhooks of one organization. */
final class LimitAlertsGround implements LimitGround {
    private static final Pattern FAULT = Pattern.compile("(?:^|; )([^:;]+): ");

    /** What the live service says without a place. */
    private static final Map<String, List<String>> SENTENCES = Map.of(
            "Invalid dashboard ID", List.of("dashboard"),
            "Tile not found", List.of("tileId"),
            "Invalid webhook ID", List.of("channel.webhookId", "channels", "channels[0].webhookId"),
            "At least one notification channel is required", List.of("channel", "channels"),
            "must be a JSON object", List.of(""));

    private static final Pattern WEBHOOK = Pattern.compile("\\{webhook\\d*}");

    private final ApiCaller caller;
    private final LimitBodies bodies = new LimitBodies();
    private final AlertExamples examples = new AlertExamples();

    private final String dashboard;
    private int hooks;

    LimitAlertsGround(House house) {
        this.caller = house.tenant().alerts();
        this.dashboard = caller.post(AlertExamples.DASHBOARDS, LimitBodies.DASHBOARD)
                .data()
                .path("id")
                .asString();
    }

    @Override
    public List<JsonNode> bodies(Route route) {
        String example = examples.body(route);
        return bodies.of(Operation.valueOf(route.operationId()), example == null ? "{}" : example).stream()
                .map(body -> ApiJson.read(
                        WEBHOOK.matcher(body).replaceAll(_ -> webhook()).replace("{dashboard}", dashboard)))
                .toList();
    }

    private String webhook() {
        hooks++;
        return caller.post(AlertExamples.WEBHOOKS, AlertExamples.webhookBody(100_000 + hooks))
                .data()
                .path("id")
                .asString();
    }

    @Override
    public Target target(Route route, JsonNode body) {
        String id = examples.needs(route, caller).orElse("");
        return new Target(caller, route.path().replaceAll("\\{\\w+}", id));
    }

    @Override
    public List<String> faults(ApiAnswer answer) {
        String message = answer.json().path("message").asString("");
        return Stream.concat(
                        SENTENCES.entrySet().stream()
                                .filter(sentence -> message.contains(sentence.getKey()))
                                .flatMap(sentence -> sentence.getValue().stream()),
                        FAULT.matcher(message).results().map(found -> found.group(1)))
                .toList();
    }
}
