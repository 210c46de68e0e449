package io.pilothouse.plane.local;

import java.util.stream.IntStream;

/** The ports on which one service's database listens, on loopback only; they are neighbours, so the first names all. */
public record PortSet(int http) {
    static final int SIZE = 3;

    /** ClickHouse's own protocol. */
    public int nativeProtocol() {
        return http + 1;
    }

    public int mysql() {
        return http + 2;
    }

    IntStream all() {
        return IntStream.range(http, http + SIZE);
    }
}
