package io.pilothouse.http.wire;

/** The request headers that are read here. */
public enum RequestField {
    ACCEPT("Accept"),
    AUTHORIZATION("Authorization"),
    CONTENT_TYPE("Content-Type"),
    COOKIE("Cookie"),
    FORWARDED("Forwarded"),
    HOST("Host"),
    HX_REQUEST("HX-Request"),
    IDEMPOTENCY_KEY("Idempotency-Key"),
    IF_MATCH("If-Match"),
    IF_NONE_MATCH("If-None-Match"),
    ORIGIN("Origin"),
    SEC_FETCH_SITE("Sec-Fetch-Site"),
    USER_AGENT("User-Agent"),
    WAKE_SERVICE("wake-service"),
    X_FORWARDED_FOR("X-Forwarded-For"),
    X_FORWARDED_HOST("X-Forwarded-Host"),
    X_FORWARDED_PROTO("X-Forwarded-Proto");

    private final String wireName;

    RequestField(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
