package io.pilothouse.plane.local;

import java.util.OptionalInt;

/** Where a running engine listens on loopback, and what it can do there. */
public record EngineAddress(PortSet ports, Capabilities capabilities) {
    public int http() {
        return ports.http();
    }

    /** Nothing where the engine does not speak ClickHouse's own protocol. */
    public OptionalInt nativeProtocol() {
        return capabilities.nativeProtocol() ? OptionalInt.of(ports.nativeProtocol()) : OptionalInt.empty();
    }

    public OptionalInt mysql() {
        return capabilities.mysql() ? OptionalInt.of(ports.mysql()) : OptionalInt.empty();
    }
}
