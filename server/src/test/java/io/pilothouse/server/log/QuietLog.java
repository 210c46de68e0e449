package io.pilothouse.server.log;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Keeps warnings out of sight while a test has everything fail, and keeps errors, which no failure may lead to. */
public final class QuietLog implements AutoCloseable {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    public QuietLog() {
        sendTo(errors, LogLevel.ERROR);
    }

    private static void sendTo(OutputStream stream, LogLevel level) {
        Logs.ofProcess().sendTo(new LogWriter(stream, LogFormat.TEXT, () -> Instant.EPOCH), level);
    }

    public String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        sendTo(new FileOutputStream(FileDescriptor.err), LogLevel.INFO);
    }
}
