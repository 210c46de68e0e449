package io.pilothouse.gateway;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something to become true, with a deadline that fails the test. */
final class GatewayEventually {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

    private GatewayEventually() {}

    static void eventually(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("Still not so after " + DEADLINE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }
}
