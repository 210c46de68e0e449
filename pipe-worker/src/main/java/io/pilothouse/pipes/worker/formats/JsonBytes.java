package io.pilothouse.pipes.worker.formats;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** JSON that is being written, as bytes. For one thread. */
public final class JsonBytes extends ByteArrayOutputStream {
    private static final int SPACE = 0x20;

    public JsonBytes(int size) {
        super(size);
    }

    /** Writes signs, words and numbers as they are. */
    public JsonBytes plain(String text) {
        writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public void text(String text) {
        text(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes of any encoding pass as they are: the database asks for no particular one. */
    public void text(byte @Nullable [] text) {
        if (text == null) {
            plain("null");
            return;
        }
        write('"');
        int from = 0;
        for (int at = 0; at < text.length; at++) {
            byte one = text[at];
            if (one == '"' || one == '\\') {
                write(text, from, at - from);
                write('\\');
                from = at;
            } else if (one >= 0 && one < SPACE) {
                write(text, from, at - from);
                plain("\\u" + HexFormat.of().toHexDigits((short) one));
                from = at + 1;
            }
        }
        write(text, from, text.length - from);
        write('"');
    }

    void number(float value) {
        number(value, Float.toString(value));
    }

    void number(double value) {
        number(value, Double.toString(value));
    }

    /** Numbers that JSON does not know are texts, which the database reads too. */
    private void number(double value, String written) {
        if (Double.isFinite(value)) {
            plain(written);
        } else {
            text(Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
        }
    }

    /** Takes back what was written after this size. */
    void cut(int size) {
        count = size;
    }
}
