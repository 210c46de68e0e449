package io.pilothouse.server.log;

import io.pilothouse.http.wire.RequestLog;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RequestRecord;
import java.lang.System.Logger.Level;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One log line for each request of a listener, and one for each that met a bug or an outage. */
public final class RequestLines implements RequestObserver, RequestLog {
    private final LogWriter writer;
    private final LogLevel level;
    private final String listener;

    public RequestLines(LogWriter writer, LogLevel level, String listener) {
        this.writer = writer;
        this.level = level;
        this.listener = listener;
    }

    @Override
    public void observe(RequestRecord request) {
        if (level.includes(Level.INFO)) {
            writer.write(Level.INFO, line -> describe(line, request));
        }
    }

    private void describe(LogLine line, RequestRecord request) {
        line.text("event", "request");
        line.text("listener", listener);
        line.text("request_id", request.requestId().toString());
        if (request.operationId() != null) {
            line.text("operation_id", request.operationId());
        }
        UUID keyId = request.heldKeyId();
        if (keyId != null) {
            line.text("key_id", keyId.toString());
        }
        if (request.client() != null) {
            line.text("from", request.client().host());
        }
        line.number("status", request.status());
        line.millis("duration_ms", request.durationNanos());
        line.number("bytes", request.contentBytes());
        if (request.fault() != null) {
            line.text("fault", request.fault());
        }
    }

    @Override
    public void failed(UUID requestId, @Nullable String operationId, Throwable cause) {
        writer.write(Level.ERROR, line -> {
            line.text("event", "request_failed");
            line.text("listener", listener);
            line.text("request_id", requestId.toString());
            if (operationId != null) {
                line.text("operation_id", operationId);
            }
            line.text("error", Logs.stack(cause));
        });
    }
}
