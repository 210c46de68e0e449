package io.pilothouse.core.delivery;

import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.secret.Signature;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookSecrets;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One message as it is sent over the wire; pure, and the same for every attempt except for the time and the signature.
 */
public final class DeliveryRequest {
    private final URI url;
    private final Map<String, String> headers;
    private final byte[] body;

    private DeliveryRequest(URI url, Map<String, String> headers, byte[] body) {
        this.url = url;
        this.headers = headers;
        this.body = body;
    }

    /** {@code alertsUrl} is where clients reach the alerts interface, for the link in the message. */
    public static DeliveryRequest of(
            UUID id, DeliveryEvent event, Webhook webhook, WebhookSecrets secrets, String alertsUrl, Clock clock) {
        // Its receiver compares the time of signing with its own.
        long signed = clock.machine().now().getEpochSecond();
        String link = alertsUrl + "/api/v2/alerts/" + event.alertId();
        byte[] body = DeliveryBody.of(event, webhook, link).getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Idempotency-Key", id.toString());
        headers.put("webhook-id", id.toString());
        headers.put("webhook-timestamp", Long.toString(signed));
        List<String> signatures = secrets.signingSecrets(clock.now()).stream()
                .map(secret -> new Signature(secret).of(id.toString(), signed, body))
                .toList();
        if (!signatures.isEmpty()) {
            headers.put("webhook-signature", String.join(" ", signatures));
        }
        headers.putAll(secrets.headers());
        return new DeliveryRequest(withQuery(URI.create(webhook.url()), secrets.queryParams()), headers, body);
    }

    private static URI withQuery(URI url, Map<String, String> queryParams) {
        StringBuilder text = new StringBuilder(url.toString());
        char separator = url.getRawQuery() == null ? '?' : '&';
        for (Map.Entry<String, String> entry : queryParams.entrySet()) {
            text.append(separator).append(encode(entry.getKey())).append('=').append(encode(entry.getValue()));
            separator = '&';
        }
        return URI.create(text.toString());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public URI url() {
        return url;
    }

    public Map<String, String> headers() {
        return Collections.unmodifiableMap(headers);
    }

    public byte[] body() {
        return body.clone();
    }

    @Override
    public String toString() {
        return "DeliveryRequest[" + url.getHost() + "]";
    }
}
