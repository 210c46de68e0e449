package io.pilothouse.server.log;

import java.util.Locale;

/**
 * Text from outside on its way to a terminal: characters that could move the cursor or fake a line are written as their
 * codes.
 */
public final class Escaped {
    private static final int MAX_LENGTH = 200;

    private Escaped() {}

    public static String text(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().limit(MAX_LENGTH).forEach(character -> append(escaped, character));
        return text.codePointCount(0, text.length()) > MAX_LENGTH ? escaped + "..." : escaped.toString();
    }

    static void append(StringBuilder text, int character) {
        if (isPrintable(character)) {
            text.appendCodePoint(character);
            return;
        }
        for (char unit : Character.toChars(character)) {
            text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
    }

    /** Whether a character shows as itself; false also for those that turn the direction of writing around. */
    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
