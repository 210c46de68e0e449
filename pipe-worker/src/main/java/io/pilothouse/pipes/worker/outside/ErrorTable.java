package io.pilothouse.pipes.worker.outside;

import io.pilothouse.pipes.wire.Assignment.Target;
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

    /** One piece of a source: where it was, why it cannot be read, and its bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Unread(String source, String reason, byte[] raw) {}

    public ErrorTable(Destination destination) {
        this.destination = destination;
        Target target = destination.target();
        this.insert = "INSERT INTO " + Sql.name(target.database()) + "."
                + Sql.name(target.table() + "_clickpipes_error") + " (source, reason, raw_message) FORMAT RowBinary";
    }

    /** Keeps them; again under the same token, it changes nothing. */
    public void keep(String token, List<Unread> unread) throws Trouble, InterruptedException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (Unread piece : unread) {
            write(rows, piece.source().getBytes(StandardCharsets.UTF_8));
            write(rows, piece.reason().getBytes(StandardCharsets.UTF_8));
            write(rows, piece.raw());
        }
        destination.insert(insert, Map.of(), token + "/errors", rows::writeTo);
    }

    /** A text as RowBinary has it: its length in groups of seven bits, and its bytes. */
    private static void write(ByteArrayOutputStream out, byte[] text) {
        int left = text.length;
        while (left > LOW_BITS) {
            out.write((left & LOW_BITS) | (LOW_BITS + 1));
            left >>>= SEVEN_BITS;
        }
        out.write(left);
        out.writeBytes(text);
    }
}
