package io.pilothouse.gateway;

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
}
