package io.pilothouse.gateway;

/** The statuses that the gateway itself may answer. */
enum GatewayHttpStatus {
    BAD_REQUEST(400, "Bad Request"),
    FORBIDDEN(403, "Forbidden"),
    NOT_FOUND(404, "Not Found"),
    METHOD_NOT_ALLOWED(405, "Method Not Allowed"),
    REQUEST_TIMEOUT(408, "Request Timeout"),
    TOO_MANY_REQUESTS(429, "Too Many Requests"),
    MISDIRECTED_REQUEST(421, "Misdirected Request"),
    URI_TOO_LONG(414, "URI Too Long"),
    HEAD_TOO_LARGE(431, "Request Header Fields Too Large"),
    NOT_IMPLEMENTED(501, "Not Implemented"),
    BAD_GATEWAY(502, "Bad Gateway"),
    UNAVAILABLE(503, "Service Unavailable"),
    VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported");

    private final int code;
    private final String phrase;

    GatewayHttpStatus(int code, String phrase) {
        this.code = code;
        this.phrase = phrase;
    }

    int code() {
        return code;
    }

    String phrase() {
        return phrase;
    }
}
