package io.pilothouse.gateway;

/** The protocols a client can use with a service, under the contract's names. */
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
