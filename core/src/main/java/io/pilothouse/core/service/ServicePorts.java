package io.pilothouse.core.service;

import java.util.List;

/** The ports at which a service can be reached, one for each protocol; they are its own for as long as it exists. */
public record ServicePorts(int https, int nativesecure, int mysql) {
    /** From as many ports as there are protocols, in their order. */
    public static ServicePorts of(List<Integer> ports) {
        return new ServicePorts(ports.get(0), ports.get(1), ports.get(2));
    }

    public List<Integer> all() {
        return List.of(https, nativesecure, mysql);
    }
}
