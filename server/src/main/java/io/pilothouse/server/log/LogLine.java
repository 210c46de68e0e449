package io.pilothouse.server.log;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * One log line while it is built. Whatever a caller of the API can put into a value is escaped, so that no value can
 * fake another field or another line.
 */
public final class LogLine {
    private static final int MAX_CHARACTERS = 8 * 1024;
    private static final int NANOS_IN_MICRO = 1_000;
    private static final int DECIMALS_OF_MILLIS = 3;
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(DECIMALS_OF_MILLIS).toFormatter(Locale.ROOT);

    private final boolean json;
    private final StringBuilder line = new StringBuilder(256);

    LogLine(LogFormat format, Instant now, LogLevel level) {
        this.json = switch (format) {
            case JSON -> true;
            case TEXT -> false;
        };
        text("time", TIME.format(now));
        text("level", level.word());
    }

    /** Any text, also one that came from outside. */
    void text(String name, String value) {
        String shown = value.length() > MAX_CHARACTERS ? value.substring(0, MAX_CHARACTERS) + "..." : value;
        boolean plain = isPlain(shown);
        name(name);
        if (plain && !json) {
            line.append(shown);
            return;
        }
        line.append('"');
        if (plain) {
            line.append(shown);
        } else {
            shown.codePoints().forEach(this::character);
        }
        line.append('"');
    }

    void number(String name, long value) {
        name(name);
        line.append(value);
    }

    /** A duration in milliseconds with three decimals. */
    void millis(String name, long nanos) {
        name(name);
        line.append(
                BigDecimal.valueOf(nanos / NANOS_IN_MICRO, DECIMALS_OF_MILLIS).toPlainString());
    }

    private void name(String name) {
        if (!line.isEmpty()) {
            line.append(json ? ',' : ' ');
        }
        line.append(json ? "\"" + name + "\":" : name + "=");
    }

    private static boolean isPlain(String value) {
        return !value.isEmpty()
                && value.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '=' && c != '\\');
    }

    private void character(int character) {
        switch (character) {
            case '"', '\\' -> line.append('\\').append((char) character);
            case '\n' -> line.append("\\n");
            case '\t' -> line.append("\\t");
            default -> Escaped.append(line, character);
        }
    }

    @Override
    public String toString() {
        return json ? "{" + line + "}\n" : line + "\n";
    }
}
