package io.pilothouse.gateway;

import java.util.concurrent.Semaphore;

/** The memory that all request heads of unusual length share, so that many of them at once cannot exhaust the heap. */
final class GatewayHeadRoom {
    private static final int UNIT = 1024;

    private final Semaphore units;

    GatewayHeadRoom(int bytes) {
        this.units = new Semaphore(bytes / UNIT);
    }

    boolean tryTake(int bytes) {
        return units.tryAcquire(bytes / UNIT);
    }

    void giveBack(int bytes) {
        units.release(bytes / UNIT);
    }
}
