package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ordinary alerts and their parts, for tests that change one thing. */
public final class AlertSample {
    public static final Instant NOW = Instant.parse("2026-03-01T12:00:30Z");
    public static final UUID ORGANIZATION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    public static final UUID ALERT = UUID.fromString("22222222-2222-4222-8222-222222222222");
    public static final UUID WEBHOOK = UUID.fromString("33333333-3333-4333-8333-333333333333");
    public static final UUID DASHBOARD = UUID.fromString("44444444-4444-4444-8444-444444444444");
    public static final AlertChannel CHANNEL = new AlertChannel.ToWebhook(WEBHOOK);

    private AlertSample() {}

    public static AlertSchedule everyMinute() {
        return new AlertSchedule(AlertInterval.ONE_MINUTE, 0, null);
    }

    public static AlertRule rule(@Nullable Integer windows, AlertChannel... channels) {
        return new AlertRule(
                "Too many",
                "",
                null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 5, null),
                everyMinute(),
                windows,
                DASHBOARD,
                "tile",
                List.of(channels));
    }

    public static Alert alert(AlertRule rule) {
        AlertWatch watch = AlertWatch.from(rule.schedule().begin(NOW));
        return new Alert(new Head(ALERT, ORGANIZATION, NOW, 1), NOW, false, rule, null, watch);
    }

    public static Tile tile() {
        return new Tile(
                "tile",
                "Requests",
                0,
                0,
                1,
                1,
                new Tile.Config("line", Metric.REQUESTS, Metric.Aggregation.SUM, Map.of(), null));
    }

    /** A draft with everything that is required and nothing else. */
    public static AlertDraft draft() {
        return new Draft().build();
    }

    /** A draft to change before it is made. */
    public static final class Draft {
        public @Nullable String name;
        public @Nullable String message;
        public @Nullable String note;
        public @Nullable Double threshold = 5.0;
        public @Nullable Double thresholdMax;
        public @Nullable String thresholdType = "above";
        public @Nullable String interval = "5m";
        public @Nullable Double offset;
        public boolean startGiven;
        public @Nullable String start;
        public @Nullable String source;
        public @Nullable String dashboard = DASHBOARD.toString();
        public @Nullable String dashboardId;
        public @Nullable String tileId = "tile";
        public AlertDraft.@Nullable Channel channel = new AlertDraft.Channel("webhook", WEBHOOK.toString());
        public @Nullable List<AlertDraft.Channel> channels;
        public @Nullable Double windows;
        public @Nullable String groupBy;

        public AlertDraft build() {
            return new AlertDraft(
                    name,
                    message,
                    note,
                    threshold,
                    thresholdMax,
                    thresholdType,
                    interval,
                    offset,
                    startGiven,
                    start,
                    source,
                    dashboard,
                    dashboardId,
                    tileId,
                    channel,
                    channels,
                    windows,
                    groupBy);
        }
    }
}
