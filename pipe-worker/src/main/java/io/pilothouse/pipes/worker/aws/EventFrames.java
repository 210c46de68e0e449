package io.pilothouse.pipes.worker.aws;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The events that a service of AWS sends one after another in one answer ({@code application/vnd.amazon.eventstream}):
 * each has fields and a payload, and two checksums that must hold. For one thread.
 */
public final class EventFrames implements AutoCloseable {
    private static final int PRELUDE = 12;
    private static final int CHECKSUM = 4;
    private static final int MAX_FIELDS = 128 << 10;
    private static final int MAX_PAYLOAD = 24 << 20;
    private static final int REFUSED = 400;
    private static final int FAILED = 500;
    /** What somebody has to change. The request itself was accepted, so that anything else may pass by itself. */
    private static final Pattern OF_THE_OWNER = Pattern.compile(
            "AccessDenied|OptInRequired|KMSDisabled|KMSInvalidState|KMSNotFound|ResourceNotFound|ResourceInUse|InvalidArgument");

    private static final int UUID_BYTES = 16;
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    private final DataInputStream in;
    private final Room room;

    /** What kind of event it is, and what it says. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Event(String type, byte[] payload) {}

    /** Waits until there is room in memory for the payload of an event. */
    @FunctionalInterface
    public interface Room {
        void take(int bytes) throws InterruptedIOException;
    }

    public EventFrames(InputStream in) {
        this(new DataInputStream(in), _ -> {});
    }

    private EventFrames(DataInputStream in, Room room) {
        this.in = in;
        this.room = room;
    }

    /** The same events, none of which is read before there is room for it. */
    public EventFrames within(Room shared) {
        return new EventFrames(in, shared);
    }

    /** The next event, as soon as there is one; empty where the service has ended its answer. */
    public Optional<Event> next() throws IOException, AwsRefusal {
        byte[] prelude = new byte[PRELUDE];
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        prelude[0] = (byte) first;
        in.readFully(prelude, 1, PRELUDE - 1);
        ByteBuffer head = ByteBuffer.wrap(prelude);
        int total = head.getInt();
        int fieldBytes = head.getInt();
        int payloadBytes = total - PRELUDE - fieldBytes - CHECKSUM;
        requireSame(checksum(prelude, PRELUDE - CHECKSUM), head.getInt());
        if (fieldBytes < 0 || fieldBytes > MAX_FIELDS || payloadBytes < 0 || payloadBytes > MAX_PAYLOAD) {
            throw new IOException("an event is larger than events are");
        }
        room.take(payloadBytes);
        byte[] whole = new byte[total];
        System.arraycopy(prelude, 0, whole, 0, PRELUDE);
        in.readFully(whole, PRELUDE, total - PRELUDE);
        requireSame(checksum(whole, total - CHECKSUM), ByteBuffer.wrap(whole).getInt(total - CHECKSUM));
        Map<String, String> fields = fields(ByteBuffer.wrap(whole, PRELUDE, fieldBytes));
        String sort = fields.getOrDefault(":message-type", "");
        if (sort.equals("exception") || sort.equals("error")) {
            String code = fields.getOrDefault(":exception-type", fields.getOrDefault(":error-code", ""));
            throw new AwsRefusal(OF_THE_OWNER.matcher(code).find() ? REFUSED : FAILED, code);
        }
        byte[] payload = new byte[payloadBytes];
        System.arraycopy(whole, PRELUDE + fieldBytes, payload, 0, payloadBytes);
        return Optional.of(new Event(fields.getOrDefault(":event-type", ""), payload));
    }

    private static void requireSame(int computed, int sent) throws IOException {
        if (computed != sent) {
            throw new IOException("an event was damaged on its way");
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Those that are texts; the others are passed over. */
    private static Map<String, String> fields(ByteBuffer in) throws IOException {
        Map<String, String> fields = new HashMap<>();
        while (in.hasRemaining()) {
            String name = new String(bytes(in, in.get() & BYTE), StandardCharsets.UTF_8);
            int type = room(in, 1).get();
            switch (type) {
                case 0, 1 -> {
                    // The type is the value.
                }
                case 2 -> bytes(in, Byte.BYTES);
                case 3 -> bytes(in, Short.BYTES);
                case 4 -> bytes(in, Integer.BYTES);
                case 5, 8 -> bytes(in, Long.BYTES);
                case 6 -> bytes(in, length(in));
                case 7 -> fields.put(name, new String(bytes(in, length(in)), StandardCharsets.UTF_8));
                case 9 -> bytes(in, UUID_BYTES);
                default -> throw new IOException("an event has a field of an unknown type");
            }
        }
        return fields;
    }

    private static int length(ByteBuffer in) throws IOException {
        return room(in, Short.BYTES).getShort() & SHORT;
    }

    private static byte[] bytes(ByteBuffer in, int count) throws IOException {
        byte[] bytes = new byte[count];
        room(in, count).get(bytes);
        return bytes;
    }

    private static ByteBuffer room(ByteBuffer in, int count) throws IOException {
        if (in.remaining() < count) {
            throw new EOFException("the fields of an event end too early");
        }
        return in;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
