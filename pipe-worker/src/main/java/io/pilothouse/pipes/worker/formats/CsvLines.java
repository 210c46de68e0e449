package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines of CSV, one after another, as the database reads files of it: values between commas, and those between quotes
 * may have commas, ends of lines and, twice, quotes. For one thread.
 */
final class CsvLines {
    private static final byte[] NULL = {'\\', 'N'};

    private final byte[] bytes;
    private int at;
    private List<Value> values = List.of();

    /** What stands between two commas. */
    @SuppressWarnings("ArrayRecordComponent")
    record Value(byte[] bytes, boolean quoted) {
        boolean isNull() {
            return !quoted && (bytes.length == 0 || Arrays.equals(bytes, NULL));
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    CsvLines(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads the next line that has something in it; whether there was one. */
    boolean next() throws BadData {
        while (at < bytes.length && isEnd(bytes[at])) {
            at++;
        }
        if (at == bytes.length) {
            return false;
        }
        List<Value> read = new ArrayList<>();
        read.add(value());
        while (at < bytes.length && bytes[at] == ',') {
            at++;
            read.add(value());
        }
        if (at < bytes.length && !isEnd(bytes[at])) {
            throw new BadData("Something follows the quotes of a value.");
        }
        values = read;
        return true;
    }

    /** Those of the line that was read last. */
    List<Value> values() {
        return values;
    }

    private Value value() throws BadData {
        skipSpaces();
        if (at < bytes.length && bytes[at] == '"') {
            at++;
            Value value = new Value(quoted(), true);
            skipSpaces();
            return value;
        }
        int from = at;
        while (at < bytes.length && bytes[at] != ',' && !isEnd(bytes[at])) {
            at++;
        }
        int to = at;
        while (to > from && isSpace(bytes[to - 1])) {
            to--;
        }
        return new Value(Arrays.copyOfRange(bytes, from, to), false);
    }

    private byte[] quoted() throws BadData {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (at < bytes.length) {
            byte one = bytes[at];
            boolean twice = one == '"' && at + 1 < bytes.length && bytes[at + 1] == '"';
            at += twice ? 2 : 1;
            if (one == '"' && !twice) {
                return out.toByteArray();
            }
            out.write(one);
        }
        throw new BadData("The quotes of a value have no end.");
    }

    private void skipSpaces() {
        while (at < bytes.length && isSpace(bytes[at])) {
            at++;
        }
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\t';
    }

    private static boolean isEnd(byte one) {
        return one == '\n' || one == '\r';
    }
}
