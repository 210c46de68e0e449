package io.pilothouse.http.helidon;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answers to clients that are refused before there is a request: malformed, too long, or of another HTTP version.
 */
final class TransportErrors implements DirectHandler {
    private static final int TIMEOUT = 408;
    private static final int UNAVAILABLE = 503;
    private static final String TIMEOUT_CODE = "REQUEST_TIMEOUT";
    private static final String TIMEOUT_SENTENCE = "The request did not arrive in time";

    private final Gate gate;

    TransportErrors(Gate gate) {
        this.gate = gate;
    }

    DirectHandlers handlers() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            handlers.addHandler(type, this);
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request, EventType type, Status status, ServerResponseHeaders headers, String message) {
        Answer answer = answer(request, type, status.code());
        TransportResponse.Builder response = TransportResponse.builder()
                .status(Status.create(answer.status()))
                .keepAlive(false);
        for (Answer.Field field : answer.fields()) {
            response.header(HeaderNames.create(field.name()), field.value());
        }
        if (answer.content() instanceof Answer.Whole whole) {
            response.header(HeaderNames.CONTENT_TYPE, whole.mediaType()).entity(whole.bytes());
        }
        return response.build();
    }

    private Answer answer(TransportRequest request, EventType type, int status) {
        return switch (type) {
            // A failure before there is a method is caused by the bytes that were sent, whatever the server calls it.
            case INTERNAL_ERROR ->
                request.method().isEmpty()
                        ? refusal(status)
                        : gate.refuse(
                                Problem.INTERNAL_ERROR, "INTERNAL_ERROR", "Something went wrong, and it was logged");
            case BAD_REQUEST, PAYLOAD_TOO_LARGE, FORBIDDEN, HTTP_VERSION_NOT_SUPPORTED, OTHER -> refusal(status);
        };
    }

    /** A failure that the server reports as internal here is always caused by the request. */
    private Answer refusal(int status) {
        if (status == Status.REQUEST_URI_TOO_LONG_414.code()) {
            return gate.refuse(status, "URI_TOO_LONG", "The request line is too long");
        }
        return gate.refuse(Status.BAD_REQUEST_400.code(), "BAD_REQUEST", "The request is not well-formed HTTP/1.1");
    }

    /**
     * A whole answer for a client that was too slow, ready to be written to its socket; {@code requestId} is null when
     * not even the head had arrived.
     */
    byte[] timeout(@Nullable UUID requestId) {
        return whole(
                "408 Request Timeout",
                requestId == null
                        ? gate.refuse(TIMEOUT, TIMEOUT_CODE, TIMEOUT_SENTENCE)
                        : gate.worded(TIMEOUT, TIMEOUT_CODE, TIMEOUT_SENTENCE, requestId));
    }

    /** The same for a client whose head finds no room beside what others send. */
    byte[] noRoom() {
        return whole(
                "503 Service Unavailable",
                gate.refuse(UNAVAILABLE, "UNAVAILABLE", "Too many requests are on their way right now: try again")
                        .with("Retry-After", "1"));
    }

    /** The same for a client that does not speak TLS where TLS is spoken. */
    byte[] plainText() {
        return whole(
                "400 Bad Request", gate.refuse(Status.BAD_REQUEST_400.code(), "BAD_REQUEST", "This port speaks HTTPS"));
    }

    private static byte[] whole(String status, Answer answer) {
        byte[] document = answer.content() instanceof Answer.Whole whole ? whole.bytes() : new byte[0];
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append("\r\nContent-Type: application/json\r\n")
                .append("Connection: close\r\n")
                .append("Content-Length: ")
                .append(document.length)
                .append("\r\n");
        for (Answer.Field field : answer.fields()) {
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(headBytes, headBytes.length + document.length);
        System.arraycopy(document, 0, bytes, headBytes.length, document.length);
        return bytes;
    }
}
