package io.pilothouse.core.delivery;

import io.pilothouse.core.webhook.Webhook;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Limits concurrent messages to each receiver, so that one that hangs does not starve the others. Safe for many
 * threads.
 */
final class DeliveryTurnstile {
    private static final int MAX_AT_ONCE = 4;

    private final Map<String, Integer> inside = new HashMap<>();

    static String receiver(Webhook webhook) {
        URI url = URI.create(webhook.url());
        return String.valueOf(url.getHost()).toLowerCase(Locale.ROOT) + ":" + url.getPort();
    }

    /** False if the receiver has as many as it may. */
    synchronized boolean enter(String receiver) {
        int before = inside.getOrDefault(receiver, 0);
        if (before >= MAX_AT_ONCE) {
            return false;
        }
        inside.put(receiver, before + 1);
        return true;
    }

    synchronized void leave(String receiver) {
        int left = inside.getOrDefault(receiver, 0) - 1;
        if (left > 0) {
            inside.put(receiver, left);
        } else {
            inside.remove(receiver);
        }
    }
}
