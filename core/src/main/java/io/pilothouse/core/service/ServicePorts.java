package io.pilothouse.core.service;

import java.util.List;

/** The ports at which a service can be reached, one for each protocol; they are its own for as long as it exists. */
public record ServicePorts(int https, int nativesecure, int mysql) {
    public static final int SIZE = 3;

    public List<Integer> all() {
        return List.of(https, nativesecure, mysql);
    }
}
