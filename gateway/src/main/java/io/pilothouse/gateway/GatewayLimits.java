package io.pilothouse.gateway;

import java.time.Duration;

/**
 * The limits for the clients of one service.
 *
 * @param connections open at once, over all protocols
 * @param firstWords how long a client may take to say its first byte, and its first request after a TLS handshake
 * @param connectionIdle how long a connection may neither carry a byte nor have a query in flight, and how long a peer
 *     that does not read may hold up an answer
 * @param head how long a TLS handshake, and then each request head, may take from its first byte
 * @param wake how long a client waits for a sleeping service
 * @param headBytes the longest request line and headers together
 */
public record GatewayLimits(
        int connections, Duration firstWords, Duration connectionIdle, Duration head, Duration wake, int headBytes) {
    /** A megabyte is what ClickHouse itself allows for a URL, and queries do come in URLs. */
    public static final GatewayLimits STANDARD = new GatewayLimits(
            1_000,
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            Duration.ofSeconds(15),
            Duration.ofSeconds(30),
            (1 << 20) + (1 << 16));

    public GatewayLimits {
        boolean positive = connections > 0
                && firstWords.isPositive()
                && connectionIdle.isPositive()
                && head.isPositive()
                && wake.isPositive()
                && headBytes > 0;
        if (!positive) {
            throw new IllegalArgumentException("Every limit of the gateway must be above zero");
        }
    }
}
