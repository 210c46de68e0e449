package io.pilothouse.gateway;

import java.time.Duration;

/** What the gateway needs to know of a service's database. Safe for many threads. */
public interface GatewayBackend {
    /**
     * What is so right now, from memory; it never waits and never wakes anything. A query counts as in flight before
     * this is asked: who first answers asleep, and then finds none in flight, may stop the database.
     */
    GatewayReach reach(GatewayProtocol protocol);

    /**
     * Sees to it that a sleeping or starting service runs, and returns what is so when it does or when the time is up.
     * The gateway never calls it twice at once for one service.
     */
    GatewayReach awaken(GatewayProtocol protocol, Duration atMost) throws InterruptedException;
}
