package io.pilothouse.server.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.time.Instant;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Where every {@link System.Logger} of this process writes to; the JDK makes the one instance, as a service. Unlike
 * java.util.logging it costs the start nothing, and it goes on writing while the process is being stopped.
 */
public final class Logs extends System.LoggerFinder {
    private static final String OURS = "io.pilothouse";
    private static final int MAX_CAUSES = 5;
    private static final int MAX_FRAMES = 12;

    private volatile Target target = new Target(
            new LogWriter(new FileOutputStream(FileDescriptor.err), LogFormat.TEXT, Instant::now), LogLevel.INFO);

    /** For the JDK, which loads this class by its name. */
    public Logs() {}

    private record Target(LogWriter writer, LogLevel level) {}

    /** The instance that the loggers of this process use. */
    public static Logs ofProcess() {
        if (System.LoggerFinder.getLoggerFinder() instanceof Logs logs) {
            return logs;
        }
        throw new IllegalStateException("Another part provides the loggers of this process");
    }

    /**
     * From here on, lines of this process go there, unless another part provides its loggers: inside a program that
     * has loggers of its own, lines go where that one sends them.
     */
    public static void sendAll(LogWriter writer, LogLevel level) {
        if (System.LoggerFinder.getLoggerFinder() instanceof Logs logs) {
            logs.sendTo(writer, level);
        }
    }

    /** From here on, lines go there. */
    public void sendTo(LogWriter writer, LogLevel level) {
        target = new Target(writer, level);
    }

    @Override
    public Logger getLogger(String name, Module module) {
        return new Named(name);
    }

    private boolean includes(boolean ours, Level level) {
        LogLevel least = target.level();
        return (ours ? least : leastOfOthers(least)).includes(level);
    }

    /**
     * Libraries are logged from warnings on, with level debug from INFO on. Their own debugging is never
     * written: it holds whole requests, and with them credentials.
     */
    private static LogLevel leastOfOthers(LogLevel least) {
        return switch (least) {
            case ERROR -> LogLevel.ERROR;
            case WARNING, INFO -> LogLevel.WARNING;
            case DEBUG -> LogLevel.INFO;
        };
    }

    private void write(String name, Level level, String message, @Nullable Throwable thrown) {
        target.writer().write(level, line -> {
            line.text("logger", name);
            line.text("message", message);
            if (thrown != null) {
                line.text("error", stack(thrown));
            }
        });
    }

    /** The exception and its causes, each with its first frames: a whole trace would be mostly framework. */
    static String stack(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < MAX_CAUSES; depth++) {
            text.append(depth == 0 ? "" : "\nCaused by: ").append(each);
            StackTraceElement[] frames = each.getStackTrace();
            for (int at = 0; at < Math.min(frames.length, MAX_FRAMES); at++) {
                text.append("\n\tat ").append(frames[at]);
            }
            each = each.getCause();
        }
        return text.toString();
    }

    private final class Named implements Logger {
        private final String name;
        private final boolean ours;

        private Named(String name) {
            this.name = name;
            this.ours = name.startsWith(OURS);
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return includes(ours, level);
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                write(name, level, localized(bundle, message), thrown);
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
            if (isLoggable(level)) {
                write(name, level, formatted(localized(bundle, format), parameters), null);
            }
        }

        private static String formatted(String format, @Nullable Object @Nullable [] parameters) {
            if (parameters == null || parameters.length == 0) {
                return format;
            }
            try {
                return new MessageFormat(format, Locale.ROOT).format(parameters);
            } catch (IllegalArgumentException e) {
                // A library's pattern is broken; its words still say more than nothing.
                return format;
            }
        }

        private static String localized(@Nullable ResourceBundle bundle, @Nullable String message) {
            if (bundle == null || message == null) {
                return String.valueOf(message);
            }
            try {
                return bundle.getString(message);
            } catch (MissingResourceException e) {
                return message;
            }
        }
    }
}
