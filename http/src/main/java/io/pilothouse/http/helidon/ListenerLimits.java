package io.pilothouse.http.helidon;

import java.time.Duration;

/**
 * The resources that clients may take of a listener.
 *
 * @param headBytes the request line, and again the header fields together
 * @param bodyBytes a body, counted as it arrives
 * @param connections open at once; see {@link io.pilothouse.incoming.Seats} for who goes when there are more
 * @param firstTime from the connection to the first byte of its first request, TLS included
 * @param headTime from the first byte of a request to the end of its head
 * @param bodyTime for a whole body
 * @param writeTime for one write of an answer, which blocks while the client does not read
 * @param idleTime between requests
 * @param stopTime for requests under way when the listener stops
 */
public record ListenerLimits(
        int headBytes,
        int bodyBytes,
        int connections,
        Duration firstTime,
        Duration headTime,
        Duration bodyTime,
        Duration writeTime,
        Duration idleTime,
        Duration stopTime) {

    public static ListenerLimits standard() {
        return new ListenerLimits(
                16 * 1024,
                1024 * 1024,
                10_000,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                Duration.ofSeconds(10));
    }

    /** The same with room for so many connections. */
    public ListenerLimits withConnections(int most) {
        return new ListenerLimits(
                headBytes, bodyBytes, most, firstTime, headTime, bodyTime, writeTime, idleTime, stopTime);
    }
}
