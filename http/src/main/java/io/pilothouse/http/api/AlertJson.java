package io.pilothouse.http.api;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSilence;
import io.pilothouse.core.delivery.DeliveryLine;
import io.pilothouse.http.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Alerts as clients see them: every field is always there, and null where it has no value. */
final class AlertJson {
    private AlertJson() {}

    static void write(JsonWriter out, Alert alert) {
        AlertRule rule = alert.rule();
        out.startObject();
        out.id("id", alert.id());
        out.text("name", rule.name());
        out.text("message", rule.message());
        orNull(out, "note", rule.note());
        out.number("threshold", rule.threshold().value());
        orNull(out, "thresholdMax", rule.threshold().max());
        out.text("thresholdType", rule.threshold().type().word());
        out.text("interval", rule.schedule().interval().word());
        out.whole("scheduleOffsetMinutes", rule.schedule().offsetMinutes());
        Instant startAt = rule.schedule().startAt();
        orNull(out, "scheduleStartAt", startAt == null ? null : startAt.toString());
        orNull(
                out,
                "numConsecutiveWindows",
                rule.numConsecutiveWindows() == null
                        ? null
                        : rule.numConsecutiveWindows().doubleValue());
        out.text("source", "tile");
        out.text("state", alert.state().word());
        out.name("channel");
        write(out, rule.channels().getFirst());
        out.list("channels", rule.channels(), AlertJson::write);
        out.id("team", alert.organizationId());
        out.id("teamId", alert.organizationId());
        out.id("dashboard", rule.dashboardId());
        out.id("dashboardId", rule.dashboardId());
        out.text("tileId", rule.tileId());
        // A tile has its groups itself, and there are no saved searches.
        orNull(out, "groupBy", (String) null);
        orNull(out, "savedSearch", (String) null);
        orNull(out, "savedSearchId", (String) null);
        out.name("silenced");
        write(out, alert.silence());
        out.list("executionErrors", alert.watch().errors(), AlertJson::write);
        out.flag("builtIn", alert.builtIn());
        out.time("createdAt", alert.createdAt());
        out.time("updatedAt", alert.updatedAt());
        out.endObject();
    }

    private static void write(JsonWriter out, AlertChannel channel) {
        out.startObject();
        out.text("type", channel.type());
        out.text("webhookId", channel.target());
        out.endObject();
    }

    private static void write(JsonWriter out, @Nullable AlertSilence silence) {
        if (silence == null) {
            out.nothing();
            return;
        }
        out.startObject();
        out.text("by", silence.by());
        out.time("at", silence.at());
        out.time("until", silence.until());
        out.endObject();
    }

    private static void write(JsonWriter out, AlertError error) {
        out.startObject();
        out.time("timestamp", error.timestamp());
        out.text("type", error.type().name());
        out.text("message", error.message());
        out.endObject();
    }

    static void writeEvaluations(JsonWriter out, List<AlertEvaluation> lines) {
        out.startArray();
        lines.forEach(line -> writeEvaluation(out, line));
        out.endArray();
    }

    private static void writeEvaluation(JsonWriter out, AlertEvaluation line) {
        out.startObject();
        out.time("startTime", line.window().from());
        out.time("endTime", line.window().to());
        orNull(out, "group", line.group().isEmpty() ? null : line.group());
        orNull(out, "value", line.value());
        out.text("state", line.state().word());
        out.endObject();
    }

    static void writeDelivery(JsonWriter out, DeliveryLine line) {
        DeliveryLine.Attempt attempt = line.attempt();
        out.startObject();
        out.id("id", line.messageId());
        out.id("alertId", line.alertId());
        out.id("webhookId", line.webhookId());
        out.text("webhook", line.webhookName());
        out.text("event", line.kind().word());
        out.text("title", line.title());
        out.text("state", attempt.state().word());
        out.whole("attempts", attempt.number());
        out.time("queuedAt", line.queuedAt());
        out.time("triedAt", attempt.at());
        Integer status = attempt.status();
        orNull(out, "status", status == null ? null : status.doubleValue());
        orNull(out, "error", attempt.trouble());
        Instant next = attempt.nextAt();
        orNull(out, "nextTryAt", next == null ? null : next.toString());
        out.endObject();
    }

    private static void orNull(JsonWriter out, String name, @Nullable String value) {
        out.name(name);
        if (value == null) {
            out.nothing();
        } else {
            out.text(value);
        }
    }

    private static void orNull(JsonWriter out, String name, @Nullable Double value) {
        out.name(name);
        if (value == null) {
            out.nothing();
        } else {
            out.number(value);
        }
    }
}
