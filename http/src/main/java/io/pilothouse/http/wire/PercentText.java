package io.pilothouse.http.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strict decoding of percent-encoded text: whole UTF-8 sequences, complete escapes, and no U+0000. */
final class PercentText {
    private PercentText() {}

    /** The decoded text; null if it is malformed. */
    static @Nullable String decode(String text, boolean plusIsSpace) {
        if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
            return text;
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int value = i + 2 < text.length() ? hex(text.charAt(i + 1)) << 4 | hex(text.charAt(i + 2)) : -1;
                if (value <= 0) {
                    return null;
                }
                bytes.put((byte) value);
                i += 2;
            } else {
                bytes.put((byte) (c == '+' && plusIsSpace ? ' ' : c));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    private static int hex(char c) {
        return Character.digit(c, 16);
    }
}
