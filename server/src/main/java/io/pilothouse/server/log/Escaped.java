package io.pilothouse.server.log;

import java.util.Locale;

/** Text from outside on its way to a terminal: what could move the cursor or fake a line is written as its code. */
public final class Escaped {
    private static final int LONGEST = 200;

    private Escaped() {}

    public static String text(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().limit(LONGEST).forEach(character -> {
            if (isPrintable(character)) {
                escaped.appendCodePoint(character);
            } else {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", character));
            }
        });
        return text.codePointCount(0, text.length()) > LONGEST ? escaped + "..." : escaped.toString();
    }

    /** Whether a character shows as itself; false also for those that turn the direction of writing around. */
    static boolean isPrintable(int character) {
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
