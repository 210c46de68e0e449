package io.pilothouse.gateway;

import io.pilothouse.incoming.Room;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;

/** The client's bytes with a look-ahead that grows for long request heads only. */
final class GatewayHttpInput {
    private static final int USUAL = 8 * 1024;

    private final GatewayWire wire;
    private final Room.Guest room;
    private byte[] buffer;
    private int start;
    private int end;

    GatewayHttpInput(GatewayWire wire, Room.Guest room, byte[] alreadyRead) {
        this.wire = wire;
        this.room = room;
        this.buffer = new byte[Math.max(USUAL, alreadyRead.length)];
        System.arraycopy(alreadyRead, 0, buffer, 0, alreadyRead.length);
        this.end = alreadyRead.length;
    }

    int buffered() {
        return end - start;
    }

    byte at(int index) {
        return buffer[start + index];
    }

    byte[] take(int count) {
        byte[] taken = new byte[count];
        System.arraycopy(buffer, start, taken, 0, count);
        start += count;
        return taken;
    }

    void skip(int count) {
        start += count;
    }

    /** Reads more behind what is buffered; false at the client's end. */
    boolean fill(Duration atMost) throws IOException, GatewayHttpRefusal {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == buffer.length) {
            grow();
        }
        int count = wire.read(buffer, end, buffer.length - end, atMost);
        if (count < 0) {
            return false;
        }
        end += count;
        return true;
    }

    /** Gives buffered bytes first, then reads straight from the client. */
    int read(byte[] into, int offset, int length, Duration atMost) throws IOException {
        if (start == end) {
            return wire.read(into, offset, length, atMost);
        }
        int count = Math.min(length, end - start);
        System.arraycopy(buffer, start, into, offset, count);
        start += count;
        return count;
    }

    byte readByte(Duration atMost) throws IOException, GatewayHttpRefusal {
        if (start == end && !fill(atMost)) {
            throw new EOFException("the client ended in the middle of a request");
        }
        return buffer[start++];
    }

    /** Releases the memory of a long head. */
    void shrink() {
        if (buffer.length > USUAL && end - start <= USUAL) {
            byte[] small = new byte[USUAL];
            System.arraycopy(buffer, start, small, 0, end - start);
            room.leave();
            end -= start;
            start = 0;
            buffer = small;
        }
    }

    void release() {
        start = end;
        shrink();
    }

    private void grow() throws GatewayHttpRefusal {
        int more = buffer.length;
        if (!room.take(more)) {
            throw new GatewayHttpRefusal(
                    GatewayHttpStatus.UNAVAILABLE, "Too many long request heads are being read right now.");
        }
        byte[] larger = new byte[buffer.length + more];
        System.arraycopy(buffer, 0, larger, 0, end);
        buffer = larger;
    }
}
