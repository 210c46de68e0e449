package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Screen.Asked;
import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.console.screen.Screen.Facts;
import io.pilothouse.console.screen.Screen.Lines;
import io.pilothouse.console.screen.Screen.Way;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** Alerts, their webhooks, and the dashboards whose tiles they watch: what the alerts interface has. */
final class AlertScreens {
    private static final String ALERTS = "/api/v2/alerts";
    private static final String WEBHOOKS = "/api/v2/webhooks";
    private static final String DASHBOARDS = "/api/v2/dashboards";
    private static final String RULE = """
            {"name": "{{group}} needs a look",
             "threshold": 1, "thresholdType": "above", "interval": "5m",
             "dashboard": "00000000-0000-4000-8000-000000000001", "tileId": "services-failing",
             "channels": [{"type": "activity"}]}""";
    private static final String DASHBOARD = """
            {"name": "Fleet",
             "tiles": [{"id": "stopped", "name": "Stopped services", "x": 0, "y": 0, "w": 6, "h": 4,
               "config": {"displayType": "number", "metric": "services", "aggregation": "last",
                          "filter": {"state": "stopped"}, "groupBy": "service"}}]}""";

    private AlertScreens() {}

    static List<Screen> all() {
        return List.of(alerts(), alert(), webhooks(), dashboards());
    }

    private static Screen alerts() {
        return Screen.of(
                        "consoleAlerts",
                        "/alerts",
                        "Alerts",
                        new Asked(Form.of(
                                        "create",
                                        "Create an alert",
                                        Verb.POST,
                                        ALERTS,
                                        Input.body("The alert, as JSON", RULE))
                                .leadingTo("/alerts/{id}")))
                .watching(
                        new Lines(
                                "Rules",
                                ALERTS,
                                "",
                                List.of(
                                        Column.text("Name", "name"),
                                        Column.state("State", "state"),
                                        Column.text("Threshold", "threshold"),
                                        Column.text("Compared", "thresholdType"),
                                        Column.text("Every", "interval"),
                                        Column.text("Silenced until", "silenced.until"),
                                        Column.text("Trouble", "executionErrors.message")),
                                "/alerts/{id}",
                                "There is no alert: create one below.",
                                List.of()),
                        messages())
                .leadingTo(new Way("/webhooks", "Webhooks"), new Way("/dashboards", "Dashboards"));
    }

    private static Lines messages() {
        return new Lines(
                "Messages to webhooks",
                "/api/v2/deliveries",
                "",
                List.of(
                        Column.text("About", "title"),
                        Column.text("It", "event"),
                        Column.text("To", "webhook"),
                        Column.state("State", "state"),
                        Column.moment("Tried", "triedAt"),
                        Column.text("Answer", "status"),
                        Column.text("Attempts", "attempts"),
                        Column.moment("Next try", "nextTryAt"),
                        Column.text("Trouble", "error")),
                "/alerts/{alertId}",
                "No message was sent since the start of the program. A rule with a webhook among its channels sends one "
                        + "when it begins to fire, and one when it no longer does.",
                List.of());
    }

    private static Screen alert() {
        String path = ALERTS + "/{alertId}";
        return Screen.of(
                        "consoleAlert",
                        "/alerts/{alertId}",
                        "Alert {name}",
                        new Asked(Form.of(
                                "silence",
                                "Silence",
                                Verb.POST,
                                path + "/silenced",
                                Input.text("Until, as 2030-01-01T00:00:00Z", "mutedUntil", ""))),
                        new Asked(Form.of("unsilence", "End its silence", Verb.DELETE, path + "/silenced")),
                        new Asked(Form.of("delete", "Delete this alert", Verb.DELETE, path)
                                .typing("name")
                                .leadingTo("/alerts")))
                .about(path)
                .watching(
                        new Facts(
                                "How it is",
                                path,
                                List.of(
                                        Column.state("State", "state"),
                                        Column.text("Threshold", "threshold"),
                                        Column.text("Compared", "thresholdType"),
                                        Column.text("Every", "interval"),
                                        Column.text("Tile", "tileId"),
                                        Column.json("Goes to", "channels"),
                                        Column.text("Silenced by", "silenced.by"),
                                        Column.text("Silenced until", "silenced.until")),
                                ""),
                        new Facts(
                                "Messages and looks that failed",
                                path,
                                List.of(Column.text("Why", "executionErrors.message")),
                                ""),
                        new Screen.History("Plot", path + "/evaluations"),
                        new Lines(
                                "History",
                                path + "/evaluations",
                                "",
                                List.of(
                                        Column.moment("From", "startTime"),
                                        Column.moment("To", "endTime"),
                                        Column.text("Group", "group"),
                                        Column.text("Value", "value"),
                                        Column.state("State", "state")),
                                "",
                                "Nothing has changed since it was made.",
                                List.of()))
                .leadingTo(new Way("/alerts", "All alerts"));
    }

    private static Screen webhooks() {
        return Screen.of(
                        "consoleWebhooks",
                        "/webhooks",
                        "Webhooks",
                        new Lines(
                                "Webhooks",
                                WEBHOOKS,
                                "",
                                List.of(
                                        Column.text("Name", "name"),
                                        Column.text("Service", "service"),
                                        Column.text("Address", "url"),
                                        Column.moment("Changed", "updatedAt")),
                                "",
                                "There is no webhook: create one below, and alerts can reach you.",
                                List.of(
                                        Form.of("test", "Send a sample message", Verb.POST, WEBHOOKS + "/{row}/test")
                                                .showing("status", "durationMs", "error"),
                                        Form.of("delete", "Delete", Verb.DELETE, WEBHOOKS + "/{row}"))),
                        new Asked(Form.of(
                                        "create",
                                        "Create a webhook",
                                        Verb.POST,
                                        WEBHOOKS,
                                        Input.text("Name", "name", "On call"),
                                        Input.choice("Service", "service", "generic", "slack", "incidentio"),
                                        Input.text("Address", "url", "https://hooks.example.org/on-call"))
                                .showing("signingSecret")))
                .leadingTo(new Way("/alerts", "Alerts"));
    }

    private static Screen dashboards() {
        return Screen.of(
                        "consoleDashboards",
                        "/dashboards",
                        "Dashboards",
                        new Lines(
                                "Dashboards",
                                DASHBOARDS,
                                "",
                                List.of(
                                        Column.text("Name", "name"),
                                        Column.text("Tiles", "tiles.name"),
                                        Column.text("Ids of tiles", "tiles.id"),
                                        Column.text("Id", "id")),
                                "",
                                "There is no dashboard.",
                                List.of(Form.of("delete", "Delete", Verb.DELETE, DASHBOARDS + "/{row}"))),
                        new Asked(Form.of(
                                "create",
                                "Create a dashboard",
                                Verb.POST,
                                DASHBOARDS,
                                Input.body("The dashboard, as JSON", DASHBOARD))))
                .leadingTo(new Way("/alerts", "Alerts"));
    }
}
