package io.pilothouse.gateway;

import io.pilothouse.incoming.Room;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * One request body as it streams by, in pieces that fit the buffer. A chunked body is read strictly and framed again
 * from scratch, so that the database never sees a framing that another reader could understand differently.
 */
final class GatewayHttpBody {
    private static final int PIECE = 64 * 1024;
    private static final int SMALL_PIECE = 4 * 1024;
    /** Eight hexadecimal digits and a line end hold the size of any piece. */
    private static final int BEFORE = 10;

    private static final int AFTER = 2;
    private static final int SIZE_DIGITS = 15;
    private static final int LINE = 4 * 1024;
    private static final int TRAILERS = 16 * 1024;
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

    private final GatewayHttpInput input;
    private final GatewayLink link;
    private final Duration patience;
    private final Room.Guest room;
    private final boolean chunked;
    private long left;
    private boolean insideChunks;
    private boolean ended;

    GatewayHttpBody(
            OptionalLong contentLength, GatewayHttpInput input, GatewayLink link, Duration patience, Room.Guest room) {
        this.input = input;
        this.link = link;
        this.patience = patience;
        this.room = room;
        this.chunked = contentLength.isEmpty();
        this.left = contentLength.orElse(0);
        this.ended = !chunked && left == 0;
    }

    /** Sends the whole body on, no faster than the database takes it and with one piece in memory at a time. */
    void send() throws IOException, GatewayHttpRefusal {
        try {
            sendInPieces();
        } finally {
            room.leave();
        }
    }

    private void sendInPieces() throws IOException, GatewayHttpRefusal {
        byte[] piece = ended ? new byte[0] : new byte[firstPiece() + BEFORE + AFTER];
        while (!ended) {
            int count = read(piece, BEFORE, piece.length - BEFORE - AFTER);
            if (chunked) {
                sendChunk(piece, count);
            } else {
                link.write(piece, BEFORE, count);
            }
            // without room the pieces stay small, and the body goes on more slowly
            if (!ended && count == piece.length - BEFORE - AFTER && count < PIECE && room.take(PIECE)) {
                piece = new byte[PIECE + BEFORE + AFTER];
            }
        }
        link.flush();
    }

    private int firstPiece() {
        return chunked || left > SMALL_PIECE ? SMALL_PIECE : (int) left;
    }

    private void sendChunk(byte[] piece, int count) throws IOException {
        if (count == 0) {
            link.write(LAST_CHUNK, 0, LAST_CHUNK.length);
            return;
        }
        int from = BEFORE;
        piece[--from] = '\n';
        piece[--from] = '\r';
        for (int rest = count; rest > 0; rest >>>= 4) {
            piece[--from] = (byte) Character.forDigit(rest & 0xf, 16);
        }
        piece[BEFORE + count] = '\r';
        piece[BEFORE + count + 1] = '\n';
        link.write(piece, from, BEFORE - from + count + AFTER);
    }

    /** Payload only; 0 at the end of a chunked body. */
    private int read(byte[] into, int offset, int length) throws IOException, GatewayHttpRefusal {
        if (chunked && left == 0) {
            if (insideChunks) {
                expect('\r');
                expect('\n');
            }
            insideChunks = true;
            left = readChunkSize();
            if (left == 0) {
                skipTrailers();
                ended = true;
                return 0;
            }
        }
        flushBeforeWaiting();
        int count = input.read(into, offset, (int) Math.min(length, left), patience);
        if (count < 0) {
            throw new EOFException("the client ended in the middle of a body");
        }
        left -= count;
        ended = !chunked && left == 0;
        return count;
    }

    private long readChunkSize() throws IOException, GatewayHttpRefusal {
        long size = 0;
        int digits = 0;
        byte next = nextByte();
        for (int digit = Character.digit(next, 16); digit >= 0; digit = Character.digit(next, 16)) {
            if (++digits > SIZE_DIGITS) {
                throw malformed();
            }
            size = size << 4 | digit;
            next = nextByte();
        }
        if (digits == 0) {
            throw malformed();
        }
        if (next == ';') {
            // extensions mean nothing to a database
            skipToCarriageReturn(LINE);
        } else if (next != '\r') {
            throw malformed();
        }
        expect('\n');
        return size;
    }

    private void skipTrailers() throws IOException, GatewayHttpRefusal {
        int room = TRAILERS;
        for (byte first = nextByte(); first != '\r'; first = nextByte()) {
            room = skipToCarriageReturn(room);
            expect('\n');
        }
        expect('\n');
    }

    /** Returns how much room is left. */
    private int skipToCarriageReturn(int room) throws IOException, GatewayHttpRefusal {
        for (int rest = room - 1; rest > 0; rest--) {
            byte next = nextByte();
            if (next == '\r') {
                return rest;
            }
            // a bare LF ends the line for some readers
            if (next == '\n' || next == 0) {
                throw malformed();
            }
        }
        throw malformed();
    }

    private byte nextByte() throws IOException, GatewayHttpRefusal {
        flushBeforeWaiting();
        return input.readByte(patience);
    }

    /** Bytes that have already arrived are sent together, without waiting for more. */
    private void flushBeforeWaiting() throws IOException {
        if (input.buffered() == 0) {
            link.flush();
        }
    }

    private void expect(char wanted) throws IOException, GatewayHttpRefusal {
        if (nextByte() != wanted) {
            throw malformed();
        }
    }

    private static GatewayHttpRefusal malformed() {
        return new GatewayHttpRefusal(
                GatewayHttpStatus.BAD_REQUEST, "The chunked body is not framed as HTTP wants it.");
    }
}
