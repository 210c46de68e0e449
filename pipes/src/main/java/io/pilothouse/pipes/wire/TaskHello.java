package io.pilothouse.pipes.wire;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a task of Kafka Connect says first on each of its connections: what the connection is for, the token of its
 * connector, which of the connector's tasks it is, and which of its own visits this is, which distinguishes it from an
 * earlier one of the same task.
 */
public record TaskHello(Purpose purpose, String token, int index, String visit) {
    private static final int MAX_LETTERS = 64;

    /** What a connection is for. */
    public enum Purpose {
        /** A {@link Wire} follows, as between this program and its own workers. */
        ORDERS,
        /** What follows is the database's HTTP. */
        ROWS
    }

    @Override
    public String toString() {
        return "TaskHello[" + purpose + ", " + index + "]";
    }

    public void send(OutputStream to) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        text(out, purpose.name());
        text(out, token);
        out.writeShort(index);
        text(out, visit);
        out.flush();
    }

    /** Reads no byte more than belong to it. */
    public static TaskHello read(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        String purpose = text(in);
        for (Purpose known : Purpose.values()) {
            if (known.name().equals(purpose)) {
                return new TaskHello(known, text(in), in.readUnsignedShort(), text(in));
            }
        }
        throw new IOException("Not a task of Kafka Connect");
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.writeByte(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte();
        if (length > MAX_LETTERS) {
            throw new IOException("Not a task of Kafka Connect");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
