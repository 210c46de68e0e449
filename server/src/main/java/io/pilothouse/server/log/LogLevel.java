package io.pilothouse.server.log;

import java.lang.System.Logger.Level;
import java.util.Locale;

/** How much is logged; each level holds those before it. */
public enum LogLevel {
    ERROR(Level.ERROR),
    WARNING(Level.WARNING),
    INFO(Level.INFO),
    DEBUG(Level.DEBUG);

    private final Level min;

    LogLevel(Level min) {
        this.min = min;
    }

    boolean includes(Level level) {
        return level != Level.OFF && level.getSeverity() >= min.getSeverity();
    }

    /** The level under which a record is written. */
    static LogLevel of(Level level) {
        return switch (level) {
            case ERROR, OFF -> ERROR;
            case WARNING -> WARNING;
            case INFO -> INFO;
            case DEBUG, TRACE, ALL -> DEBUG;
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
