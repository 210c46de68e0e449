package io.pilothouse.server.log;

import java.lang.System.Logger.Level;
import java.util.Locale;

/** How much is logged; each level holds those before it. */
public enum LogLevel {
    ERROR(Level.ERROR),
    WARNING(Level.WARNING),
    INFO(Level.INFO),
    DEBUG(Level.DEBUG);

    private final Level least;
    private final String word;

    LogLevel(Level least) {
        this.least = least;
        this.word = name().toLowerCase(Locale.ROOT);
    }

    boolean includes(Level level) {
        return level != Level.OFF && level.getSeverity() >= least.getSeverity();
    }

    String word() {
        return word;
    }

    /** The word under which a record of this level is written. */
    static LogLevel of(Level level) {
        if (level.getSeverity() >= Level.ERROR.getSeverity()) {
            return ERROR;
        }
        if (level.getSeverity() >= Level.WARNING.getSeverity()) {
            return WARNING;
        }
        return level.getSeverity() >= Level.INFO.getSeverity() ? INFO : DEBUG;
    }
}
