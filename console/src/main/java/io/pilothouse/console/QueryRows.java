package io.pilothouse.console;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.http.json.JsonReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, as many as a page shows. {@code others} are lines that are no rows, because the statement asked
 * for a format of its own or the database broke off with a sentence.
 */
record QueryRows(List<String> names, List<String> types, List<List<String>> rows, List<String> others, boolean cut) {
    static final String FORMAT = "JSONCompactStringsEachRowWithNamesAndTypes";
    static final int MAX_ROWS = 500;
    private static final int MAX_BYTES = 256 * 1024;

    /** The beginning of an answer; its end is refused, so that the database need not go on. */
    static final class Kept extends OutputStream {
        private final byte[] bytes = new byte[MAX_BYTES];
        private int count;
        private int lines;
        private boolean full;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] piece, int from, int length) throws IOException {
            int taken = 0;
            while (taken < length && count < MAX_BYTES && lines < MAX_ROWS + 2) {
                byte next = piece[from + taken];
                bytes[count] = next;
                count++;
                taken++;
                if (next == '\n') {
                    lines++;
                }
            }
            if (taken < length) {
                full = true;
                throw new IOException("A page shows no more");
            }
        }

        String text() {
            return new String(bytes, 0, count, StandardCharsets.UTF_8).strip();
        }
    }

    /** An answer in another format, as it came. */
    static QueryRows text(Kept kept) {
        String text = kept.text();
        return new QueryRows(List.of(), List.of(), List.of(), text.isEmpty() ? List.of() : List.of(text), kept.full);
    }

    static QueryRows of(Kept kept) {
        List<String> lines = new ArrayList<>(
                kept.text().isEmpty() ? List.of() : Arrays.asList(kept.text().split("\n", -1)));
        boolean halfLine = kept.full && kept.bytes[kept.count - 1] != '\n';
        if (halfLine) {
            lines.removeLast();
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String line : lines) {
            List<String> row = row(line);
            if (row == null) {
                others.add(line);
            } else {
                rows.add(row);
            }
        }
        List<String> names = rows.isEmpty() ? List.of() : rows.removeFirst();
        List<String> types = rows.isEmpty() ? List.of() : rows.removeFirst();
        return new QueryRows(names, types, rows, others, kept.full);
    }

    private static @Nullable List<String> row(String line) {
        if (!line.startsWith("[")) {
            return null;
        }
        try {
            byte[] object = ("{\"row\":" + line + "}").getBytes(StandardCharsets.UTF_8);
            // In this format every value is a text; ClickHouse writes small capitals where there is none.
            return JsonReader.readObject(object, new Faults()).texts("row");
        } catch (Refused noRow) {
            return null;
        }
    }

    /** Which rows these are, where {@code from} come before them; {@code paged} ones lead to others. */
    String caption(long from, boolean paged) {
        String others = !cut ? "" : paged ? "; there are more" : "; LIMIT and OFFSET show others";
        if (from == 0) {
            return cut
                    ? "The first " + rows.size() + " rows" + others
                    : rows.size() + (rows.size() == 1 ? " row" : " rows");
        }
        return rows.isEmpty()
                ? "No row after row " + from
                : "Rows " + (from + 1) + " to " + (from + rows.size()) + (cut ? others : ", which are the last");
    }
}
