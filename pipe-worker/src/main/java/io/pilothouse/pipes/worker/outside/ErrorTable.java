package io.pilothouse.pipes.worker.outside;

import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Sql;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The table beside a pipe's own that keeps what could not be read. Safe for many threads. */
public final class ErrorTable {
    private static final int SEVEN_BITS = 7;
    private static final int LOW_BITS = 0x7F;

    private final Destination destination;
    private final String insert;
    private final byte[] pipe;

    /**
     * One piece of a source: where it was, why it cannot be read, its bytes, and what it has beside them that a replay
     * needs.
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Unread(String source, String reason, byte[] raw, Map<String, byte[]> fields) {}

    public ErrorTable(Destination destination, String pipe) {
        this(destination, destination.target().table(), pipe);
    }

    /** Beside a table of a pipe that has several. */
    public ErrorTable(Destination destination, String table, String pipe) {
        this.destination = destination;
        this.pipe = pipe.getBytes(StandardCharsets.UTF_8);
        this.insert = "INSERT INTO " + Sql.name(destination.target().database()) + "."
                + Sql.name(BesideTable.errors(table)) + " (source, reason, raw_message, pipe, fields) FORMAT RowBinary";
    }

    /** Keeps them; again under the same token, it changes nothing. */
    public void keep(String token, List<Unread> unread) throws Trouble, InterruptedException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (Unread piece : unread) {
            write(rows, piece.source().getBytes(StandardCharsets.UTF_8));
            write(rows, piece.reason().getBytes(StandardCharsets.UTF_8));
            write(rows, piece.raw());
            write(rows, pipe);
            length(rows, piece.fields().size());
            piece.fields().forEach((name, value) -> {
                write(rows, name.getBytes(StandardCharsets.UTF_8));
                write(rows, value);
            });
        }
        destination.insert(insert, Map.of(), token + "/errors", rows::writeTo);
    }

    /** A text as RowBinary has it: its length and its bytes. */
    private static void write(ByteArrayOutputStream out, byte[] text) {
        length(out, text.length);
        out.writeBytes(text);
    }

    /** In groups of seven bits. */
    private static void length(ByteArrayOutputStream out, int length) {
        int left = length;
        while (left > LOW_BITS) {
            out.write((left & LOW_BITS) | (LOW_BITS + 1));
            left >>>= SEVEN_BITS;
        }
        out.write(left);
    }
}
