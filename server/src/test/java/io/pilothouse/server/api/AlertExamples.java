package io.pilothouse.server.api;

import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final AtomicInteger made = new AtomicInteger();

    /** Names are unique, and no message is sent to the address. */
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

    /** The id that an operation needs in its path. */
    Optional<String> needs(Route route, ApiCaller caller) {
        return switch (route.path().replaceAll(".*\\{(\\w+)}[^{]*", "$1")) {
            case "alertId" -> alert(caller);
            case "webhookId" -> webhook(caller);
            case "dashboardId" -> dashboard(caller);
            default -> Optional.empty();
        };
    }

    /** The body of a good request as it goes over the wire; null where there is none. */
    @Nullable
    String body(Route route) {
        return switch (Operation.valueOf(route.operationId())) {
            // The document's example has one name, and an address outside.
            case webhookCreate, webhookReplace -> ApiJson.text(webhookBody(made.incrementAndGet()));
            default -> ApiDocument.ALERTS.example(route.operationId());
        };
    }
}
