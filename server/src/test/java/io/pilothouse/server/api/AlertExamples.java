package io.pilothouse.server.api;

import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** For each operation of the alerts interface one request that succeeds: what must be there for it, and its body. */
final class AlertExamples {
    static final String ALERTS = "/api/v2/alerts";
    static final String WEBHOOKS = "/api/v2/webhooks";
    static final String DASHBOARDS = "/api/v2/dashboards";

    /** A dashboard that every organization has. */
    static final String SERVICES = "00000000-0000-4000-8000-000000000001";

    static final String ALERT = """
            {'name': 'Too many', 'message': 'Look at {{group}}', 'threshold': 3, 'thresholdType': 'above', 'interval': '1m',
             'source': 'tile', 'dashboard': '00000000-0000-4000-8000-000000000001', 'tileId': 'services-failing',
             'channel': {'type': 'activity'}}""";

    static final String DASHBOARD = """
            {'name': 'Mine', 'tags': ['a'], 'tiles': [{'id': 'one', 'name': 'All', 'x': 0, 'y': 0, 'w': 12, 'h': 4,
             'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last'}}]}""";

    private final Map<String, Example> byOperationId = new HashMap<>();
    private final AtomicInteger made = new AtomicInteger();

    /** The id that an operation needs in its path, and the body of its request. */
    record Example(Function<ApiCaller, Optional<String>> needs, Function<Integer, @Nullable String> body) {}

    AlertExamples() {
        Function<ApiCaller, Optional<String>> nothing = _ -> Optional.empty();
        add("alertGetList", nothing, null);
        add("alertCreate", nothing, ALERT);
        add("alertGet", this::alert, null);
        add("alertReplace", this::alert, ALERT);
        add("alertDelete", this::alert, null);
        add("alertSilence", this::alert, "{'mutedUntil': '2026-12-31T00:00:00Z'}");
        add("alertUnsilence", this::alert, null);
        add("alertEvaluationGetList", this::alert, null);
        add("webhookGetList", nothing, null);
        byOperationId.put("webhookCreate", new Example(nothing, AlertExamples::webhookBody));
        add("webhookGet", this::webhook, null);
        byOperationId.put("webhookReplace", new Example(this::webhook, AlertExamples::webhookBody));
        add("webhookDelete", this::webhook, null);
        add("webhookTest", this::webhook, null);
        add("dashboardGetList", nothing, null);
        add("dashboardCreate", nothing, DASHBOARD);
        add("dashboardGet", this::dashboard, null);
        add("dashboardReplace", this::dashboard, DASHBOARD);
        add("dashboardDelete", this::dashboard, null);
    }

    private void add(String operationId, Function<ApiCaller, Optional<String>> needs, @Nullable String body) {
        byOperationId.put(operationId, new Example(needs, _ -> body));
    }

    /** Names are unique, and the address is one that nobody is sent to. */
    static String webhookBody(int number) {
        return "{'name': 'Hook " + number + "', 'service': 'generic', 'url': 'http://127.0.0.1:9/hook',"
                + " 'headers': {'X-Team': 'blue'}}";
    }

    private Optional<String> alert(ApiCaller caller) {
        return id(caller.post(ALERTS, ALERT).data());
    }

    private Optional<String> webhook(ApiCaller caller) {
        return id(caller.post(WEBHOOKS, webhookBody(made.incrementAndGet())).data());
    }

    private Optional<String> dashboard(ApiCaller caller) {
        return id(caller.post(DASHBOARDS, DASHBOARD).data());
    }

    private static Optional<String> id(JsonNode thing) {
        return Optional.of(thing.path("id").asString());
    }

    Example of(Route route) {
        Example example = byOperationId.get(route.operationId());
        if (example == null) {
            throw new AssertionError(route.operationId() + " has no example here: add one, and the matrix covers it");
        }
        return example;
    }

    /** The body of a good request as it goes over the wire; null where there is none. */
    @Nullable
    String body(Route route) {
        String body = of(route).body().apply(made.incrementAndGet());
        return body == null ? null : ApiJson.text(body);
    }
}
