package io.pilothouse.store;

import java.time.Duration;

/**
 * How much may pile up, and for how long: past {@code queuedWrites} or {@code patience} the store says that it is
 * unavailable. A group ends at {@code groupWrites} or after {@code groupTime}, so that its first writer is not kept
 * waiting. After {@code requestsPerPass} writes of requests comes one of the engine.
 */
record Limits(
        int queuedWrites,
        Duration patience,
        int groupWrites,
        Duration groupTime,
        int readConnections,
        int requestsPerPass) {
    static Limits standard() {
        int readConnections = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        return new Limits(4_096, Duration.ofSeconds(10), 256, Duration.ofMillis(20), readConnections, 24);
    }

    /** Where each write waits for a server, a third as many writes must not leave the engine a third as many passes. */
    static Limits ofAServer() {
        Limits all = standard();
        return new Limits(all.queuedWrites, all.patience, all.groupWrites, all.groupTime, all.readConnections, 8);
    }
}
