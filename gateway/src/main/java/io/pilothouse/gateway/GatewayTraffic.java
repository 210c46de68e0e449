package io.pilothouse.gateway;

import java.time.Instant;

/**
 * The traffic at a service's door, at one moment.
 *
 * @param openConnections accepted and allowed, including those that never sent a byte
 * @param queriesInFlight requests whose answer is not finished yet
 * @param lastActivity now while a query is in flight, otherwise when the last byte moved (or the door was opened)
 * @param acceptedConnections let in since the door was opened
 * @param refusedConnections turned away by the access list or by a limit since the door was opened
 */
public record GatewayTraffic(
        int openConnections,
        int queriesInFlight,
        Instant lastActivity,
        long acceptedConnections,
        long refusedConnections,
        long bytesReceived,
        long bytesSent) {}
