package io.pilothouse.plane.local;

import java.util.OptionalInt;

/** Where a running database listens on loopback, and what it can do there. */
public record DatabaseAddress(PortSet ports, Capabilities capabilities) {
    public int http() {
        return ports.http();
    }

    /** Empty if the database does not speak ClickHouse's own protocol. */
    public OptionalInt nativeProtocol() {
        return capabilities.nativeProtocol() ? OptionalInt.of(ports.nativeProtocol()) : OptionalInt.empty();
    }

    public OptionalInt mysql() {
        return capabilities.mysql() ? OptionalInt.of(ports.mysql()) : OptionalInt.empty();
    }
}
