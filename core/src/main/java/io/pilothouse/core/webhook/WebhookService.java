package io.pilothouse.core.webhook;

import io.pilothouse.core.base.WordRule;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kind of receiver of a webhook, which decides the format of its messages. */
public enum WebhookService {
    GENERIC,
    SLACK,
    INCIDENTIO;

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), WebhookService::word);

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<WebhookService> find(String word) {
        return Arrays.stream(values())
                .filter(service -> service.word().equals(word))
                .findFirst();
    }
}
