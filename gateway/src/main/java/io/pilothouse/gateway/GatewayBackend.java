package io.pilothouse.gateway;

import java.time.Duration;

/** The database of a service, as the gateway sees it. Safe for many threads. */
public interface GatewayBackend {
    /**
     * The present state, from memory; never waits and never wakes anything. A query counts as in flight before this is
     * called: so an implementation that has answered asleep, and then finds no query in flight, may stop the database.
     */
    GatewayReach reach(GatewayProtocol protocol);

    /**
     * Makes a sleeping or starting service run, and returns the state once it does or when the time is up. The gateway
     * never calls it twice at once for one service.
     */
    GatewayReach awaken(GatewayProtocol protocol, Duration atMost) throws InterruptedException;
}
