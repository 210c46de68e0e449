package io.pilothouse.http.wire;

/** The request headers that are read here. */
public enum RequestField {
    ACCEPT("Accept"),
    AUTHORIZATION("Authorization"),
    CONTENT_TYPE("Content-Type"),
    IDEMPOTENCY_KEY("Idempotency-Key"),
    IF_MATCH("If-Match"),
    IF_NONE_MATCH("If-None-Match");

    private final String wireName;

    RequestField(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
