package io.pilothouse.core.delivery;

import io.pilothouse.core.alert.AlertTemplate;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.webhook.Webhook;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The body of a message for each kind of receiver: JSON, unless a template says otherwise. */
final class DeliveryBody {
    private static final int MAX_LENGTH = 64 * 1024;
    private static final int MAX_SLACK_TEXT_LENGTH = 2_900;

    private final DeliveryEvent event;
    private final UUID eventId;
    private final String link;

    private DeliveryBody(DeliveryEvent event, String link) {
        this.event = event;
        // The same for every message about this group of this alert, so that receivers can keep them together.
        this.eventId = new UUID(
                event.alertId().getMostSignificantBits() ^ event.group().hashCode(),
                event.alertId().getLeastSignificantBits());
        this.link = link;
    }

    static String of(DeliveryEvent event, Webhook webhook, String link) {
        DeliveryBody body = new DeliveryBody(event, link);
        String template = webhook.body();
        return switch (webhook.service()) {
            case SLACK -> body.slack();
            case GENERIC -> template == null ? body.generic() : body.filled(template);
            case INCIDENTIO -> template == null ? body.incident() : body.filled(template);
        };
    }

    private String generic() {
        return object(
                "title",
                quote(event.title()),
                "body",
                quote(event.text()),
                "state",
                quote(event.kind().word()),
                "alertId",
                quote(event.alertId().toString()),
                "eventId",
                quote(eventId.toString()),
                "group",
                event.group().isEmpty() ? "null" : quote(event.group()),
                "value",
                number(event.value()),
                "threshold",
                number(event.threshold().value()),
                "thresholdMax",
                number(event.threshold().max()),
                "thresholdType",
                quote(event.threshold().type().word()),
                "window",
                object(
                        "from",
                        quote(event.window().from().toString()),
                        "to",
                        quote(event.window().to().toString())),
                "link",
                quote(link));
    }

    private String slack() {
        String title = slackText(event.title().replace('|', ' '));
        String text =
                AlertTemplate.cut("*<" + link + "|" + title + ">*\n" + slackText(event.text()), MAX_SLACK_TEXT_LENGTH);
        String section = object("type", quote("section"), "text", object("type", quote("mrkdwn"), "text", quote(text)));
        return object("text", quote(slackText(event.title())), "blocks", "[" + section + "]");
    }

    private String incident() {
        boolean fires = event.kind() == DeliveryEvent.Kind.FIRING;
        return object(
                "title",
                quote(event.title()),
                "description",
                quote(event.text()),
                "deduplication_key",
                quote(eventId.toString()),
                "status",
                quote(fires ? "firing" : "resolved"),
                "source_url",
                quote(link),
                "metadata",
                object("alertId", quote(event.alertId().toString()), "group", quote(event.group())));
    }

    private String filled(String template) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("title", event.title());
        values.put("body", event.text());
        values.put("link", link);
        values.put("state", event.kind().word());
        values.put("startTime", Long.toString(event.window().from().toEpochMilli()));
        values.put("endTime", Long.toString(event.window().to().toEpochMilli()));
        values.put("eventId", eventId.toString());
        values.put("alertId", event.alertId().toString());
        values.put("group", event.group());
        values.put("value", event.value() == null ? "" : AlertThreshold.plain(event.value()));
        values.put("threshold", AlertThreshold.plain(event.threshold().value()));
        return new AlertTemplate(template).fill(values, DeliveryBody::escape, MAX_LENGTH);
    }

    /** Names and values that are JSON already, alternately. */
    private static String object(String... namesAndValues) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            json.append(i == 0 ? "" : ",").append(quote(namesAndValues[i])).append(':');
            json.append(namesAndValues[i + 1]);
        }
        return json.append('}').toString();
    }

    private static String number(@Nullable Double value) {
        return value == null ? "null" : AlertThreshold.plain(value);
    }

    private static String quote(String text) {
        return '"' + escape(text) + '"';
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Slack treats these three as markup. */
    private static String slackText(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
