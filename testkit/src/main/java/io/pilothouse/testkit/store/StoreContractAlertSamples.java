package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertGroup;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertNotice;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSchedule;
import io.pilothouse.core.alert.AlertSilence;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows with everything in them, and with as little as there can be. */
final class StoreContractAlertSamples {
    private static final AlertChannel CHANNEL = new AlertChannel.ToWebhook(UUID.randomUUID());
    private static final AlertThreshold RANGE = new AlertThreshold(AlertThreshold.Type.NOT_BETWEEN, 0.1, 1e300);

    private StoreContractAlertSamples() {}

    static Alert alert(UUID organizationId) {
        AlertSchedule schedule = new AlertSchedule(AlertInterval.ONE_DAY, 17, Instant.parse("2026-01-01T00:00:17Z"));
        AlertRule rule = new AlertRule(
                "Über {{value}}",
                "Message",
                "Note",
                RANGE,
                schedule,
                3,
                UUID.randomUUID(),
                "tile",
                List.of(CHANNEL, new AlertChannel.ToActivities()));
        AlertGroup firing = new AlertGroup(AlertState.FIRING, 4, 0, NOW, 7.25, List.of(CHANNEL));
        AlertGroup empty = new AlertGroup(AlertState.INSUFFICIENT_DATA, 0, 3, NOW.minusNanos(1), null, List.of());
        AlertWatch watch = new AlertWatch(
                NOW,
                NOW.plusNanos(1),
                Map.of("service:1", firing, "", empty),
                new AlertError(NOW, AlertError.Type.QUERY_ERROR, "Too many groups"),
                Map.of(UUID.randomUUID(), new AlertError(NOW, AlertError.Type.WEBHOOK_ERROR, "It answered 404")));
        AlertSilence silence = new AlertSilence("somebody", NOW, NOW.plusSeconds(60));
        return new Alert(Head.of(UUID.randomUUID(), organizationId, NOW), NOW.plusNanos(2), true, rule, silence, watch);
    }

    static Alert bareAlert(UUID organizationId) {
        AlertRule rule = new AlertRule(
                "",
                "",
                null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 5, null),
                new AlertSchedule(AlertInterval.ONE_MINUTE, 0, null),
                null,
                UUID.randomUUID(),
                "",
                List.of());
        return new Alert(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                NOW,
                false,
                rule,
                null,
                AlertWatch.from(Instant.EPOCH));
    }

    static AlertEvaluation evaluation(UUID alertId, Instant end, @Nullable Double value) {
        return evaluation(alertId, new MetricWindow(end.minusSeconds(60), end), value);
    }

    static AlertEvaluation evaluation(UUID alertId, MetricWindow window, @Nullable Double value) {
        return AlertEvaluation.of(
                alertId, window, "state:failed", new AlertGroup(AlertState.PENDING, 1, 0, NOW, value, List.of()));
    }

    static Webhook webhook(UUID organizationId, String name) {
        return new Webhook(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                NOW.plusNanos(3),
                name,
                WebhookService.INCIDENTIO,
                "https://example.com/hook?a=1",
                "Description",
                "{\"text\": \"{{title}}\"}",
                "v1.00000000.sealed");
    }

    static Webhook bareWebhook(UUID organizationId, String name) {
        return new Webhook(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                NOW,
                name,
                WebhookService.GENERIC,
                "http://example.com",
                null,
                null,
                "");
    }

    static Dashboard dashboard(UUID organizationId) {
        Tile.Config full = new Tile.Config(
                "number", Metric.REQUESTS, Metric.Aggregation.MAX, Map.of("status", "4xx,5xx"), "status");
        Tile.Config bare = new Tile.Config("line", Metric.PIPES, Metric.Aggregation.LAST, Map.of(), null);
        return new Dashboard(
                Head.of(UUID.randomUUID(), organizationId, NOW),
                NOW.plusNanos(4),
                "Mine",
                List.of("team", "on call"),
                List.of(new Tile("a", "First", 1, 2, 3, 4, full), new Tile("b", "", 23, 0, 24, 1, bare)),
                false);
    }

    static Delivery delivery(Alert alert, String group, UUID webhookId, Instant stamp) {
        DeliveryEvent event = new DeliveryEvent(
                DeliveryEvent.Kind.RESOLVED,
                alert.id(),
                group,
                "Resolved: a",
                "It is over.\n",
                group.equals("a") ? 0.5 : null,
                RANGE,
                new MetricWindow(NOW.minusSeconds(60), NOW));
        return Delivery.of(alert, new AlertNotice(CHANNEL, stamp, event), webhookId, NOW.plusSeconds(1));
    }
}
