package io.pilothouse.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeliveryTurnstileTest {
    private final DeliveryTurnstile turnstile = new DeliveryTurnstile();

    private static String receiver(String url) {
        return DeliveryTurnstile.receiver(new Webhook(
                Head.of(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH),
                Instant.EPOCH,
                "Hook",
                WebhookService.GENERIC,
                url,
                null,
                null,
                ""));
    }

    @Test
    void aReceiverIsItsHostAndPortWhateverThePath() {
        assertThat(receiver("http://Example.org:81/a"))
                .isEqualTo(receiver("http://example.org:81/b?c"))
                .isNotEqualTo(receiver("http://example.org:82/a"));
    }

    @Test
    void fewPassAtATimeAndOneReceiverTakesNoPlaceFromAnother() {
        for (int i = 0; i < 4; i++) {
            assertThat(turnstile.enter("slow")).isTrue();
        }
        assertThat(turnstile.enter("slow")).isFalse();
        assertThat(turnstile.enter("other")).isTrue();
        turnstile.leave("slow");
        assertThat(turnstile.enter("slow")).isTrue();
        turnstile.leave("other");
        assertThat(turnstile.enter("other")).isTrue();
    }
}
