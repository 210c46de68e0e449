package io.pilothouse.core.webhook;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kind of receiver of a webhook, which decides the format of its messages. */
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
