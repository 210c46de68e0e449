package io.pilothouse.pipes;

import java.util.UUID;
import java.util.function.Supplier;

/**
 * A cluster of Kafka Connect that runs pipes: its connectors, the door for their tasks, where and under which authority's
 * certificate tasks find that door, and what makes tokens.
 */
public record ConnectCluster(
        Connectors connectors, ConnectDoor door, String address, String authority, Supplier<String> tokens) {
    /** What the connector of a pipe is called. */
    static String name(UUID pipeId) {
        return "pilothouse-" + pipeId;
    }

    @Override
    public String toString() {
        return "ConnectCluster[" + address + "]";
    }
}
