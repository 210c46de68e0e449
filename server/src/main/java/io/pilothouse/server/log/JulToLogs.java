package io.pilothouse.server.log;

import java.lang.System.Logger.Level;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Leads what a library says through java.util.logging to our own log; made by the JDK, if any library does so at all. */
public final class JulToLogs {
    /** The system property by which the JDK finds this class. */
    public static final String PROPERTY = "java.util.logging.config.class";

    /** For the JDK, which loads this class by its name. */
    public JulToLogs() {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new Bridge());
    }

    /** Hands each record over; the level is checked there. */
    private static final class Bridge extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            String name = record.getLoggerName() == null ? LogManager.class.getName() : record.getLoggerName();
            System.getLogger(name).log(level(record), formatter.formatMessage(record), record.getThrown());
        }

        private static Level level(LogRecord record) {
            int level = record.getLevel().intValue();
            if (level >= java.util.logging.Level.SEVERE.intValue()) {
                return Level.ERROR;
            }
            if (level >= java.util.logging.Level.WARNING.intValue()) {
                return Level.WARNING;
            }
            return level >= java.util.logging.Level.INFO.intValue() ? Level.INFO : Level.DEBUG;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
