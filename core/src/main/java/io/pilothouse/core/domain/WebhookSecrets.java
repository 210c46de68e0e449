package io.pilothouse.core.domain;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a webhook sends along and never shows: headers, query parameters, and the secret its messages are signed with,
 * which is empty when they are not.
 */
public record WebhookSecrets(Map<String, String> headers, Map<String, String> queryParams, String signingSecret) {
    public static final WebhookSecrets NONE = new WebhookSecrets(Map.of(), Map.of(), "");

    /** Between the parts; the rules let no control character into any of them. */
    private static final char PART = '\u001e';

    private static final char ITEM = '\u001f';

    public WebhookSecrets {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        queryParams = Collections.unmodifiableMap(new LinkedHashMap<>(queryParams));
    }

    public byte[] toBytes() {
        String text = joined(headers) + PART + joined(queryParams) + PART + signingSecret;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static WebhookSecrets of(byte[] bytes) {
        List<String> parts = split(new String(bytes, StandardCharsets.UTF_8), PART);
        return new WebhookSecrets(map(parts.get(0)), map(parts.get(1)), parts.get(2));
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
