package io.pilothouse.gateway;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend that sleeps, wakes and fails on a test's command. */
final class GatewaySwitch implements GatewayBackend {
    private final AtomicInteger wakings = new AtomicInteger();
    private volatile GatewayReach now;
    private volatile GatewayReach afterWaking;
    private volatile CountDownLatch wakingMayEnd = new CountDownLatch(0);

    private GatewaySwitch(GatewayReach now, GatewayReach afterWaking) {
        this.now = now;
        this.afterWaking = afterWaking;
    }

    static GatewaySwitch awake(InetSocketAddress address) {
        GatewayReach ready = new GatewayReach.Ready(address);
        return new GatewaySwitch(ready, ready);
    }

    static GatewaySwitch asleep(InetSocketAddress address) {
        return new GatewaySwitch(new GatewayReach.Asleep(), new GatewayReach.Ready(address));
    }

    static GatewaySwitch always(GatewayReach reach) {
        return new GatewaySwitch(reach, reach);
    }

    void is(GatewayReach reach) {
        now = reach;
    }

    void wakesTo(GatewayReach reach) {
        afterWaking = reach;
    }

    /** Has wakings last until the latch is down. */
    void holdWakings(CountDownLatch until) {
        wakingMayEnd = until;
    }

    int wakings() {
        return wakings.get();
    }

    @Override
    public GatewayReach reach(GatewayProtocol protocol) {
        return now;
    }

    @Override
    public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) throws InterruptedException {
        wakings.incrementAndGet();
        wakingMayEnd.await();
        now = afterWaking;
        return now;
    }
}
