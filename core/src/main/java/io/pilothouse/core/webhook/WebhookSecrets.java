package io.pilothouse.core.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The parts of a webhook that are sent but never shown: headers, query parameters, and the secret that signs its
 * messages, which is empty if they are unsigned. A replaced secret keeps signing beside the new one for a while, so
 * that a receiver can switch at any time.
 */
public record WebhookSecrets(
        Map<String, String> headers,
        Map<String, String> queryParams,
        String signingSecret,
        String formerSecret,
        Instant formerUntil) {
    /** How long a replaced secret still signs. */
    private static final Duration GRACE = Duration.ofDays(1);

    public static final WebhookSecrets NONE = new WebhookSecrets(Map.of(), Map.of(), "");

    /** Separates the parts; the rules allow no control character in any of them. */
    private static final char PART = '\u001e';

    private static final char ITEM = '\u001f';

    public WebhookSecrets {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        queryParams = Collections.unmodifiableMap(new LinkedHashMap<>(queryParams));
    }

    public WebhookSecrets(Map<String, String> headers, Map<String, String> queryParams, String signingSecret) {
        this(headers, queryParams, signingSecret, "", Instant.EPOCH);
    }

    public WebhookSecrets with(Map<String, String> otherHeaders, Map<String, String> otherQueryParams) {
        return new WebhookSecrets(otherHeaders, otherQueryParams, signingSecret, formerSecret, formerUntil);
    }

    /** Signs with another secret from now on, and for a while with the current one too, but not with any older one. */
    public WebhookSecrets rotated(String next, Instant now) {
        return next.equals(signingSecret)
                ? this
                : new WebhookSecrets(headers, queryParams, next, signingSecret, now.plus(GRACE));
    }

    /** The secrets that sign at this moment, the newest first; empty if messages are unsigned. */
    public List<String> signingSecrets(Instant now) {
        return Stream.of(signingSecret, now.isBefore(formerUntil) ? formerSecret : "")
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    public byte[] toBytes() {
        String text = String.join(
                String.valueOf(PART),
                joined(headers),
                joined(queryParams),
                signingSecret,
                formerSecret,
                formerUntil.toString());
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static WebhookSecrets of(byte[] bytes) {
        List<String> parts = split(new String(bytes, StandardCharsets.UTF_8), PART);
        return new WebhookSecrets(
                map(parts.get(0)), map(parts.get(1)), parts.get(2), parts.get(3), Instant.parse(parts.get(4)));
    }

    private static String joined(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(name).append(ITEM).append(value).append(ITEM));
        return text.toString();
    }

    private static Map<String, String> map(String text) {
        List<String> items = split(text, ITEM);
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            values.put(items.get(i), items.get(i + 1));
        }
        return values;
    }

    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
            parts.add(text.substring(start, end));
            start = end + 1;
        }
        parts.add(text.substring(start));
        return parts;
    }

    @Override
    public String toString() {
        return "WebhookSecrets[]";
    }
}
