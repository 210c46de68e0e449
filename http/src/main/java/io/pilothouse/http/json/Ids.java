package io.pilothouse.http.json;

import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Strict parsing of UUIDs: the canonical 36 characters and nothing else. */
public final class Ids {
    private static final int LENGTH = 36;

    private Ids() {}

    /** Null for any text that is not a UUID in its canonical form. */
    public static @Nullable UUID parse(String text) {
        if (text.length() != LENGTH) {
            return null;
        }
        for (int i = 0; i < LENGTH; i++) {
            boolean fits = isHyphenPlace(i) ? text.charAt(i) == '-' : HexFormat.isHexDigit(text.charAt(i));
            if (!fits) {
                return null;
            }
        }
        return UUID.fromString(text);
    }

    private static boolean isHyphenPlace(int i) {
        return i == 8 || i == 13 || i == 18 || i == 23;
    }
}
