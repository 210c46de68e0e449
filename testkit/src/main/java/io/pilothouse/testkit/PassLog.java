package io.pilothouse.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What passes write into the log, kept from everybody else's eyes while a test has them fail. */
public final class PassLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.pilothouse.core.engine.PlannedPass");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    public PassLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    /** The lines of failures so far: the end of each, from its level on. */
    public List<String> failures() {
        return records.stream()
                .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                .map(line -> line.getLevel() + line.getMessage().replaceFirst("^[^:]*:", "")
                        + (line.getThrown() == null ? "" : ": " + line.getThrown().getMessage()))
                .toList();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
