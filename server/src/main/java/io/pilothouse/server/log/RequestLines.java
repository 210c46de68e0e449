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
        line.word("event", "request");
        line.word("listener", listener);
        line.id("request_id", request.requestId());
        if (request.operationId() != null) {
            line.word("operation_id", request.operationId());
        }
        if (request.keyId() != null) {
            line.id("key_id", request.keyId());
        }
        line.whole("status", request.status());
        line.millis("duration_ms", request.durationNanos());
        line.whole("bytes", request.contentBytes());
    }

    @Override
    public void failed(UUID requestId, @Nullable String operationId, Throwable cause) {
        writer.write(Level.ERROR, line -> {
            line.word("event", "request_failed");
            line.word("listener", listener);
            line.id("request_id", requestId);
            if (operationId != null) {
                line.word("operation_id", operationId);
            }
            line.text("error", Logs.stack(cause));
        });
    }
}
