package io.pilothouse.gateway;

import java.util.Arrays;
import java.util.Optional;

/** The ways a client can speak to a service, under the names that the contract gives them. */
public enum GatewayProtocol {
    HTTPS("https"),
    NATIVESECURE("nativesecure"),
    MYSQL("mysql");

    private final String wireName;

    GatewayProtocol(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<GatewayProtocol> find(String wireName) {
        return Arrays.stream(values())
                .filter(protocol -> protocol.wireName.equals(wireName))
                .findFirst();
    }
}
