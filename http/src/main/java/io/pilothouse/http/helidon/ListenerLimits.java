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

    private static final int STREAM_BYTES = 64 << 20;
    private static final Duration STREAM_TIME = Duration.ofMinutes(10);

    /** The same with room for bodies that are passed on as they come; a chunk of one is in memory as a whole. */
    public ListenerLimits forStreams() {
        return new ListenerLimits(
                headBytes, STREAM_BYTES, connections, firstTime, headTime, STREAM_TIME, writeTime, idleTime, stopTime);
    }

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

    /** The same limits with another number of connections. */
    public ListenerLimits withConnections(int most) {
        return new ListenerLimits(
                headBytes, bodyBytes, most, firstTime, headTime, bodyTime, writeTime, idleTime, stopTime);
    }
}
