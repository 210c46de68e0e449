package io.pilothouse.server.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/**
 * One log line while it is built, as bytes and without garbage, because every request writes one. Whatever a caller of
 * the API can put into a value is escaped, so that no value can fake another field or another line. For one thread.
 */
final class LogLine {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int DATE_AND_TIME = "2026-01-01T00:00:00".length();
    private static final int LONGEST_VALUE = 8 * 1024;
    private static final int NANOS_IN_MICRO = 1_000;
    private static final int NANOS_IN_MILLI = 1_000_000;

    private final boolean json;
    private byte[] bytes = new byte[512];
    private int length;
    private long shownSecond = Long.MIN_VALUE;
    private String secondText = "";

    LogLine(LogFormat format) {
        this.json = switch (format) {
            case JSON -> true;
            case TEXT -> false;
        };
    }

    /** Forgets the line before and begins with the time. */
    void begin(Instant now) {
        length = 0;
        if (json) {
            put('{');
        }
        name("time");
        quoteInJson();
        if (now.getEpochSecond() != shownSecond) {
            shownSecond = now.getEpochSecond();
            secondText = Instant.ofEpochSecond(shownSecond).toString();
        }
        ascii(secondText, DATE_AND_TIME);
        put('.');
        digits(now.getNano() / NANOS_IN_MILLI, 100);
        put('Z');
        quoteInJson();
    }

    /** A word of our own that needs no escaping. */
    void word(String name, String value) {
        next(name);
        quoteInJson();
        ascii(value, value.length());
        quoteInJson();
    }

    /** Any text, also one that came from outside. */
    void text(String name, String value) {
        next(name);
        boolean quoted = json || !isPlain(value);
        if (quoted) {
            put('"');
        }
        int end = length + LONGEST_VALUE;
        int at = 0;
        while (at < value.length() && length < end) {
            int character = value.codePointAt(at);
            character(character);
            at += Character.charCount(character);
        }
        if (at < value.length()) {
            ascii("...", 3);
        }
        if (quoted) {
            put('"');
        }
    }

    void id(String name, UUID value) {
        next(name);
        quoteInJson();
        hex(value.getMostSignificantBits(), 60, 32);
        put('-');
        hex(value.getMostSignificantBits(), 28, 16);
        put('-');
        hex(value.getMostSignificantBits(), 12, 0);
        put('-');
        hex(value.getLeastSignificantBits(), 60, 48);
        put('-');
        hex(value.getLeastSignificantBits(), 44, 0);
        quoteInJson();
    }

    void whole(String name, long value) {
        next(name);
        whole(value);
    }

    /** A duration in milliseconds with three decimals. */
    void millis(String name, long nanos) {
        next(name);
        long micros = nanos / NANOS_IN_MICRO;
        whole(micros / 1_000);
        put('.');
        digits((int) (micros % 1_000), 100);
    }

    void end() {
        if (json) {
            put('}');
        }
        put('\n');
    }

    int length() {
        return length;
    }

    /** Copies the line to where there is room for it. */
    void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, length);
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    private void next(String name) {
        put(json ? ',' : ' ');
        name(name);
    }

    private void name(String name) {
        quoteInJson();
        ascii(name, name.length());
        quoteInJson();
        put(json ? ':' : '=');
    }

    private void quoteInJson() {
        if (json) {
            put('"');
        }
    }

    private static boolean isPlain(String value) {
        for (int at = 0; at < value.length(); at++) {
            char each = value.charAt(at);
            if (each <= ' ' || each >= 0x7f || each == '"' || each == '=' || each == '\\') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private void character(int character) {
        switch (character) {
            case '"', '\\' -> {
                put('\\');
                put(character);
            }
            case '\n' -> escape('n');
            case '\t' -> escape('t');
            default -> {
                if (Escaped.isPrintable(character)) {
                    utf8(character);
                } else if (Character.isBmpCodePoint(character)) {
                    code(character);
                } else {
                    code(Character.highSurrogate(character));
                    code(Character.lowSurrogate(character));
                }
            }
        }
    }

    private void escape(char letter) {
        put('\\');
        put(letter);
    }

    private void code(int unit) {
        escape('u');
        hex(unit, 12, 0);
    }

    private void utf8(int character) {
        if (character < 0x80) {
            put(character);
        } else if (character < 0x800) {
            put(0xc0 | (character >> 6));
            put(0x80 | (character & 0x3f));
        } else if (character < 0x10000) {
            put(0xe0 | (character >> 12));
            put(0x80 | ((character >> 6) & 0x3f));
            put(0x80 | (character & 0x3f));
        } else {
            put(0xf0 | (character >> 18));
            put(0x80 | ((character >> 12) & 0x3f));
            put(0x80 | ((character >> 6) & 0x3f));
            put(0x80 | (character & 0x3f));
        }
    }

    private void ascii(String text, int count) {
        for (int at = 0; at < count; at++) {
            put(text.charAt(at));
        }
    }

    private void whole(long value) {
        if (value < 0) {
            put('-');
        }
        long rest = Math.abs(value);
        long unit = 1;
        while (rest / unit >= 10) {
            unit *= 10;
        }
        while (unit > 0) {
            put((int) ('0' + rest / unit % 10));
            unit /= 10;
        }
    }

    /** A number with leading zeros; {@code unit} is the value of its first digit. */
    private void digits(int value, int unit) {
        for (int each = unit; each > 0; each /= 10) {
            put('0' + value / each % 10);
        }
    }

    private void hex(long value, int fromShift, int toShift) {
        for (int shift = fromShift; shift >= toShift; shift -= 4) {
            put(HEX[(int) ((value >>> shift) & 0xf)]);
        }
    }

    private void put(int each) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        bytes[length] = (byte) each;
        length++;
    }
}
