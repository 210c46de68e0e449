package io.pilothouse.gateway;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Lets the first of many clients wake a service while the others wait for it to be done. */
final class GatewayWake {
    private final AtomicReference<@Nullable CountDownLatch> running = new AtomicReference<>();

    GatewayReach awaken(GatewayBackend backend, GatewayProtocol protocol, Duration atMost) throws InterruptedException {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch others = running.compareAndExchange(null, mine);
        if (others != null) {
            boolean ended = others.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return ended ? backend.reach(protocol) : new GatewayReach.Asleep();
        }
        try {
            return backend.awaken(protocol, atMost);
        } finally {
            running.set(null);
            mine.countDown();
        }
    }
}
