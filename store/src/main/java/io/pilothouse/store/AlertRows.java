package io.pilothouse.store;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertGroup;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSchedule;
import io.pilothouse.core.alert.AlertSilence;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.base.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Alerts as rows: the rule, the silence, and what the evaluator found. */
final class AlertRows implements Rows<Alert> {
    private static final UUID NOWHERE = new UUID(0, 0);

    @Override
    public Kind<Alert> kind() {
        return Alert.KIND;
    }

    @Override
    public @Nullable String reference(Alert row) {
        return null;
    }

    @Override
    public void write(Alert row, DocumentOut document) {
        document.text("updatedAt", row.updatedAt())
                .flag("builtIn", row.builtIn())
                .object("rule", out -> write(row.rule(), out))
                .object("watch", out -> write(row.watch(), out));
        AlertSilence silence = row.silence();
        if (silence != null) {
            document.object(
                    "silence",
                    out -> out.text("by", silence.by()).text("at", silence.at()).text("until", silence.until()));
        }
    }

    private static void write(AlertRule rule, DocumentOut out) {
        out.text("name", rule.name())
                .text("message", rule.message())
                .text("note", rule.note())
                .object("threshold", inner -> write(rule.threshold(), inner))
                .text("interval", rule.schedule().interval())
                .number("offsetMinutes", rule.schedule().offsetMinutes())
                .text("startAt", rule.schedule().startAt())
                .text("dashboardId", rule.dashboardId())
                .text("tileId", rule.tileId())
                .list("channels", rule.channels(), AlertRows::write);
        if (rule.numConsecutiveWindows() != null) {
            out.number("numConsecutiveWindows", rule.numConsecutiveWindows());
        }
    }

    static void write(AlertThreshold threshold, DocumentOut out) {
        out.text("type", threshold.type()).decimal("value", threshold.value()).decimal("max", threshold.max());
    }

    private static void write(AlertChannel channel, DocumentOut out) {
        switch (channel) {
            case AlertChannel.ToWebhook(UUID webhookId) -> out.text("webhookId", webhookId);
            case AlertChannel.ToActivities _ -> out.flag("activities", true);
        }
    }

    private static void write(AlertWatch watch, DocumentOut out) {
        out.text("measuredUntil", watch.measuredUntil()).text("toldAt", watch.toldAt());
        out.list("groups", List.copyOf(watch.groups().entrySet()), (entry, inner) -> {
            AlertGroup group = entry.getValue();
            inner.text("group", entry.getKey())
                    .text("state", group.state())
                    .number("streak", group.streak())
                    .number("empty", group.empty())
                    .text("since", group.since())
                    .decimal("value", group.value())
                    .list("told", group.told(), AlertRows::write);
        });
        AlertError failure = watch.failure();
        if (failure != null) {
            out.object("failure", inner -> write(failure, inner));
        }
        out.list(
                "undelivered",
                List.copyOf(watch.undelivered().entrySet()),
                (entry, inner) -> write(entry.getValue(), inner.text("webhookId", entry.getKey())));
    }

    private static void write(AlertError error, DocumentOut out) {
        out.text("timestamp", error.timestamp()).text("type", error.type()).text("message", error.message());
    }

    @Override
    public Alert read(Head head, DocumentIn document) {
        DocumentIn silence = document.objectOrNull("silence");
        return new Alert(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                document.instant("updatedAt", head.createdAt()),
                head.version(),
                document.flag("builtIn"),
                rule(document.object("rule")),
                silence == null ? null : silence(silence),
                watch(document.object("watch"), head.createdAt()));
    }

    private static AlertRule rule(DocumentIn in) {
        int windows = in.number("numConsecutiveWindows", 0);
        return new AlertRule(
                in.text("name", ""),
                in.text("message", ""),
                in.textOrNull("note"),
                threshold(in.object("threshold")),
                new AlertSchedule(
                        in.choice("interval", AlertInterval.FIVE_MINUTES),
                        in.number("offsetMinutes", 0),
                        in.instantOrNull("startAt")),
                windows == 0 ? null : windows,
                in.id("dashboardId", NOWHERE),
                in.text("tileId", ""),
                in.list("channels", AlertRows::channel));
    }

    static AlertThreshold threshold(DocumentIn in) {
        return new AlertThreshold(
                in.choice("type", AlertThreshold.Type.ABOVE), in.fraction("value", 0), in.decimalOrNull("max"));
    }

    private static AlertChannel channel(DocumentIn in) {
        UUID webhookId = in.idOrNull("webhookId");
        return webhookId == null ? new AlertChannel.ToActivities() : new AlertChannel.ToWebhook(webhookId);
    }

    private static AlertSilence silence(DocumentIn in) {
        return new AlertSilence(in.text("by", ""), in.instant("at", Instant.EPOCH), in.instant("until", Instant.EPOCH));
    }

    private static AlertWatch watch(DocumentIn in, Instant createdAt) {
        Map<String, AlertGroup> groups = new LinkedHashMap<>();
        in.list("groups", each -> groups.put(each.text("group", ""), group(each, createdAt)));
        Map<UUID, AlertError> undelivered = new LinkedHashMap<>();
        in.list("undelivered", each -> undelivered.put(each.id("webhookId", NOWHERE), error(each)));
        DocumentIn failure = in.objectOrNull("failure");
        return new AlertWatch(
                in.instant("measuredUntil", createdAt),
                in.instant("toldAt", Instant.EPOCH),
                groups,
                failure == null ? null : error(failure),
                undelivered);
    }

    private static AlertGroup group(DocumentIn in, Instant createdAt) {
        return new AlertGroup(
                in.choice("state", AlertState.INACTIVE),
                in.number("streak", 0),
                in.number("empty", 0),
                in.instant("since", createdAt),
                in.decimalOrNull("value"),
                in.list("told", AlertRows::channel));
    }

    private static AlertError error(DocumentIn in) {
        return new AlertError(
                in.instant("timestamp", Instant.EPOCH),
                in.choice("type", AlertError.Type.UNKNOWN),
                in.text("message", ""));
    }

    @Override
    public Alert withVersion(Alert row, long version) {
        return new Alert(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                row.updatedAt(),
                version,
                row.builtIn(),
                row.rule(),
                row.silence(),
                row.watch());
    }
}
