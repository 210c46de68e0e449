package io.pilothouse.core.webhook;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What kind of receiver a webhook has, which decides what a message looks like. */
public enum WebhookService {
    GENERIC,
    SLACK,
    INCIDENTIO;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(WebhookService::word).toList();
    }

    public static Optional<WebhookService> find(String word) {
        return Arrays.stream(values())
                .filter(service -> service.word().equals(word))
                .findFirst();
    }
}
