package io.pilothouse.core.alert;

import io.pilothouse.core.webhook.Webhook;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Lets few messages at a time through to each receiver, so that one which hangs takes no place from others; for many threads. */
final class DeliveryTurnstile {
    private static final int MAX_AT_ONCE = 4;

    private final Map<String, Integer> inside = new HashMap<>();

    static String receiver(Webhook webhook) {
        URI url = URI.create(webhook.url());
        return String.valueOf(url.getHost()).toLowerCase(Locale.ROOT) + ":" + url.getPort();
    }

    /** False when as many are inside as may be. */
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
