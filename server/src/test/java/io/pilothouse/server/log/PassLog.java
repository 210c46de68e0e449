package io.pilothouse.server.log;

import io.pilothouse.core.engine.PlannedPass;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** The lines that passes log while a test has them fail. */
public final class PassLog implements AutoCloseable {
    private static final Pattern LINE =
            Pattern.compile("level=(warning|error) logger=" + Pattern.quote(PlannedPass.class.getName())
                    + " message=\"\\w+ [^:]*: ([^\"]*)\"(?: error=\"[\\w.]*: (.*?)\\\\n)?");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public PassLog() {
        sendTo(out);
    }

    private static void sendTo(OutputStream stream) {
        Logs.ofProcess().sendTo(new LogWriter(stream, LogFormat.TEXT, () -> Instant.EPOCH), LogLevel.INFO);
    }

    /** The failures so far: the level, the sentence, and what was thrown, if that was not a declared fault. */
    public List<String> failures() {
        return LINE.matcher(out.toString(StandardCharsets.UTF_8))
                .results()
                .map(line -> line.group(1) + " " + line.group(2) + (line.group(3) == null ? "" : ": " + line.group(3)))
                .toList();
    }

    @Override
    public void close() {
        sendTo(new FileOutputStream(FileDescriptor.err));
    }
}
