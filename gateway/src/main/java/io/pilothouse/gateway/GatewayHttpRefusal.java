package io.pilothouse.gateway;

import java.nio.charset.StandardCharsets;

/** A request that is answered by the gateway and ends its connection; the message is a sentence for the client. */
final class GatewayHttpRefusal extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int RETRY_AFTER_SECONDS = 5;

    private final GatewayHttpStatus status;
    private final long retryAfterSeconds;

    GatewayHttpRefusal(GatewayHttpStatus status, String sentence) {
        this(status, sentence, status == GatewayHttpStatus.UNAVAILABLE ? RETRY_AFTER_SECONDS : 0);
    }

    private GatewayHttpRefusal(GatewayHttpStatus status, String sentence, long retryAfterSeconds) {
        super(sentence, null, false, false);
        this.status = status;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    static GatewayHttpRefusal tooManyFailures(long seconds) {
        return new GatewayHttpRefusal(
                GatewayHttpStatus.TOO_MANY_REQUESTS,
                GatewayUnreachable.tooManyFailures(seconds).sentence(),
                seconds);
    }

    static GatewayHttpRefusal noPage() {
        return new GatewayHttpRefusal(
                GatewayHttpStatus.NOT_FOUND,
                "There is no such page here: SQL goes to /, and the operator of this server opens pages of ClickHouse"
                        + " with --database-pages.");
    }

    static GatewayHttpRefusal otherHost() {
        return new GatewayHttpRefusal(
                GatewayHttpStatus.MISDIRECTED_REQUEST,
                "This connection was opened for another host than the request names; open one for that host.");
    }

    static GatewayHttpRefusal notSecured() {
        return new GatewayHttpRefusal(
                GatewayHttpStatus.BAD_REQUEST, "This port speaks HTTPS; plain HTTP is only for this machine itself.");
    }

    static GatewayHttpRefusal of(GatewayUnreachable unreachable) {
        GatewayHttpStatus status = switch (unreachable.reason()) {
            case UNSUPPORTED -> GatewayHttpStatus.NOT_IMPLEMENTED;
            case ELSEWHERE -> GatewayHttpStatus.MISDIRECTED_REQUEST;
            case UNAVAILABLE, TOO_MANY_CONNECTIONS, TOO_MANY_FAILURES -> GatewayHttpStatus.UNAVAILABLE;
        };
        return new GatewayHttpRefusal(status, unreachable.sentence());
    }

    GatewayHttpStatus status() {
        return status;
    }

    /** The whole answer; a HEAD request gets the head alone. */
    byte[] answer(boolean withBody) {
        String retry = retryAfterSeconds > 0 ? "Retry-After: " + retryAfterSeconds + "\r\n" : "";
        byte[] body = (getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status.code() + " " + status.phrase() + "\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: " + body.length + "\r\n"
                + retry
                + "Connection: close\r\n\r\n";
        byte[] headBytes = head.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[headBytes.length + (withBody ? body.length : 0)];
        System.arraycopy(headBytes, 0, whole, 0, headBytes.length);
        if (withBody) {
            System.arraycopy(body, 0, whole, headBytes.length, body.length);
        }
        return whole;
    }
}
