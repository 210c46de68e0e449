package io.pilothouse.store.rows;

import static io.pilothouse.store.rows.Codec.FLAG;
import static io.pilothouse.store.rows.Codec.FRACTION;
import static io.pilothouse.store.rows.Codec.ID;
import static io.pilothouse.store.rows.Codec.INSTANT;
import static io.pilothouse.store.rows.Codec.NUMBER;
import static io.pilothouse.store.rows.Codec.TEXT;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertGroup;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSchedule;
import io.pilothouse.core.alert.AlertSilence;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import java.time.Instant;
import java.util.UUID;

/** Alerts as rows, and what they look at and send. */
final class AlertRows {
    private static final UUID NOWHERE = new UUID(0, 0);

    private static final Shape<AlertThreshold> THRESHOLD = f -> new AlertThreshold(
            f.choice("type", AlertThreshold::type, AlertThreshold.Type.ABOVE),
            f.get("value", AlertThreshold::value, FRACTION, 0.0),
            f.find("max", AlertThreshold::max, FRACTION));

    private static final Shape<AlertSchedule> SCHEDULE = f -> new AlertSchedule(
            f.choice("interval", AlertSchedule::interval, AlertInterval.FIVE_MINUTES),
            f.get("offsetMinutes", AlertSchedule::offsetMinutes, NUMBER, 0),
            f.find("startAt", AlertSchedule::startAt, INSTANT));

    private static final Shape<AlertChannel> CHANNEL = f -> {
        UUID webhookId =
                f.find("webhookId", channel -> channel instanceof AlertChannel.ToWebhook(UUID id) ? id : null, ID);
        f.find("activities", channel -> channel instanceof AlertChannel.ToActivities ? true : null, FLAG);
        return webhookId == null ? new AlertChannel.ToActivities() : new AlertChannel.ToWebhook(webhookId);
    };

    private static final Shape<AlertRule> RULE = f -> new AlertRule(
            f.get("name", AlertRule::name, TEXT, ""),
            f.get("message", AlertRule::message, TEXT, ""),
            f.find("note", AlertRule::note, TEXT),
            f.get("threshold", AlertRule::threshold, THRESHOLD),
            f.part(AlertRule::schedule, SCHEDULE),
            f.find("numConsecutiveWindows", AlertRule::numConsecutiveWindows, NUMBER),
            f.get("dashboardId", AlertRule::dashboardId, ID, NOWHERE),
            f.get("tileId", AlertRule::tileId, TEXT, ""),
            f.list("channels", AlertRule::channels, CHANNEL));

    private static final Shape<AlertSilence> SILENCE = f -> new AlertSilence(
            f.get("by", AlertSilence::by, TEXT, ""),
            f.get("at", AlertSilence::at, INSTANT, Instant.EPOCH),
            f.get("until", AlertSilence::until, INSTANT, Instant.EPOCH));

    // Stored alerts say "told" and "toldAt" where the program now says notified.
    private static final Shape<AlertGroup> GROUP = f -> new AlertGroup(
            f.choice("state", AlertGroup::state, AlertState.INACTIVE),
            f.get("streak", AlertGroup::streak, NUMBER, 0),
            f.get("empty", AlertGroup::empty, NUMBER, 0),
            f.get("since", AlertGroup::since, INSTANT, f.head.createdAt()),
            f.find("value", AlertGroup::value, FRACTION),
            f.list("told", AlertGroup::notified, CHANNEL));

    private static final Shape<AlertError> ERROR = f -> new AlertError(
            f.get("timestamp", AlertError::timestamp, INSTANT, Instant.EPOCH),
            f.choice("type", AlertError::type, AlertError.Type.UNKNOWN),
            f.get("message", AlertError::message, TEXT, ""));

    private static final Shape<AlertWatch> WATCH = f -> new AlertWatch(
            f.get("measuredUntil", AlertWatch::measuredUntil, INSTANT, f.head.createdAt()),
            f.get("toldAt", AlertWatch::notifiedAt, INSTANT, Instant.EPOCH),
            f.map("groups", AlertWatch::groups, "group", TEXT, "", GROUP),
            f.find("failure", AlertWatch::failure, ERROR),
            f.map("undelivered", AlertWatch::undelivered, "webhookId", ID, NOWHERE, ERROR));

    static final Rows<Alert> ALERTS = Rows.of(
            Alert.KIND,
            f -> new Alert(
                    f.head,
                    f.get("updatedAt", Alert::updatedAt, INSTANT, f.head.createdAt()),
                    f.get("builtIn", Alert::builtIn, FLAG, false),
                    f.get("rule", Alert::rule, RULE),
                    f.find("silence", Alert::silence, SILENCE),
                    f.get("watch", Alert::watch, WATCH)));

    /** They belong to their alert, in the order of their windows' ends. */
    static final Rows<AlertEvaluation> EVALUATIONS = Rows.of(
                    AlertEvaluation.KIND,
                    f -> new AlertEvaluation(
                            f.head,
                            f.get("from", AlertEvaluation::from, INSTANT, f.head.createdAt()),
                            f.get("group", AlertEvaluation::group, TEXT, ""),
                            f.find("value", AlertEvaluation::value, FRACTION),
                            f.choice("state", AlertEvaluation::state, AlertState.INACTIVE)))
            .writtenOnce();

    /** Their secrets are sealed before they come here. */
    static final Rows<Webhook> WEBHOOKS = Rows.of(
                    Webhook.KIND,
                    f -> new Webhook(
                            f.head,
                            f.get("updatedAt", Webhook::updatedAt, INSTANT, f.head.createdAt()),
                            f.get("name", Webhook::name, TEXT, ""),
                            f.choice("service", Webhook::service, WebhookService.GENERIC),
                            f.get("url", Webhook::url, TEXT, ""),
                            f.find("description", Webhook::description, TEXT),
                            f.find("body", Webhook::body, TEXT),
                            f.get("sealedSecrets", Webhook::sealedSecrets, TEXT, "")))
            .foundBy(Webhook::uniqueName);

    private static final Shape<String> FILTER = f -> f.get("value", text -> text, TEXT, "");

    private static final Shape<Tile.Config> CONFIG = f -> new Tile.Config(
            f.get("displayType", Tile.Config::displayType, TEXT, "line"),
            f.choice("metric", Tile.Config::metric, Metric.SERVICES),
            f.choice("aggregation", Tile.Config::aggregation, Metric.Aggregation.LAST),
            f.map("filter", Tile.Config::filter, "name", TEXT, "", FILTER),
            f.find("groupBy", Tile.Config::groupBy, TEXT));

    private static final Shape<Tile> TILE = f -> new Tile(
            f.get("id", Tile::id, TEXT, ""),
            f.get("name", Tile::name, TEXT, ""),
            f.get("x", Tile::x, NUMBER, 0),
            f.get("y", Tile::y, NUMBER, 0),
            f.get("w", Tile::w, NUMBER, 1),
            f.get("h", Tile::h, NUMBER, 1),
            f.part(Tile::config, CONFIG));

    static final Rows<Dashboard> DASHBOARDS = Rows.of(
            Dashboard.KIND,
            f -> new Dashboard(
                    f.head,
                    f.get("updatedAt", Dashboard::updatedAt, INSTANT, f.head.createdAt()),
                    f.get("name", Dashboard::name, TEXT, ""),
                    f.list("tags", Dashboard::tags, TEXT),
                    f.list("tiles", Dashboard::tiles, TILE),
                    false));

    private static final Shape<MetricWindow> WINDOW = f -> new MetricWindow(
            f.get("from", MetricWindow::from, INSTANT, f.head.createdAt()),
            f.get("to", MetricWindow::to, INSTANT, f.head.createdAt()));

    private static final Shape<DeliveryEvent> EVENT = f -> new DeliveryEvent(
            f.choice("kind", DeliveryEvent::kind, DeliveryEvent.Kind.FIRING),
            f.get("alertId", DeliveryEvent::alertId, ID, NOWHERE),
            f.get("group", DeliveryEvent::group, TEXT, ""),
            f.get("title", DeliveryEvent::title, TEXT, ""),
            f.get("text", DeliveryEvent::text, TEXT, ""),
            f.find("value", DeliveryEvent::value, FRACTION),
            f.get("threshold", DeliveryEvent::threshold, THRESHOLD),
            f.part(DeliveryEvent::window, WINDOW));

    /** They are found by their lane, in which their stamps put them in order. */
    static final Rows<Delivery> DELIVERIES = Rows.of(
                    Delivery.KIND,
                    f -> new Delivery(
                            f.head,
                            f.get("laneId", Delivery::laneId, ID, NOWHERE),
                            f.get("webhookId", Delivery::webhookId, ID, NOWHERE),
                            f.get("queuedAt", Delivery::queuedAt, INSTANT, f.head.createdAt()),
                            f.part(Delivery::event, EVENT)))
            .foundBy(delivery -> delivery.laneId().toString());

    private AlertRows() {}
}
