package io.pilothouse.gateway.name;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * What a TLS client says first, read only as far as the name of the server that it asks for.
 *
 * @param isTls false if something else than TLS begins here; then one byte was read
 * @param name in lower case; empty if the client names none, or not exactly one
 * @param bytes all that was read, for those who shake hands
 */
@SuppressWarnings("ArrayRecordComponent")
public record ClientHello(boolean isTls, Optional<String> name, byte[] bytes) {
    /** Several times what clients send, with keys that withstand quantum computers too. */
    static final int MAX_BYTES = 16 * 1024;

    private static final int HANDSHAKE = 22;
    private static final int HELLO = 1;
    private static final int RECORD_HEADER = 5;
    private static final int HANDSHAKE_HEADER = 4;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int MAX_NAME_LENGTH = 253;

    /**
     * Reads records for as long as the hello goes on, and not a byte more than the last of them; {@code alreadyRead}
     * comes before what is read here. How long that may take is for the caller to bound.
     *
     * @throws IOException if it is malformed, too long or cut off
     */
    public static ClientHello read(byte[] alreadyRead, InputStream rest) throws IOException {
        Input in = new Input(alreadyRead, rest);
        if (in.read(1)[0] != HANDSHAKE) {
            return new ClientHello(false, Optional.empty(), in.all.toByteArray());
        }
        byte[] version = in.read(RECORD_HEADER - 1);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(in.readRecord(version));
        while (message.size() < HANDSHAKE_HEADER || message.size() < HANDSHAKE_HEADER + length(message)) {
            byte[] header = in.read(RECORD_HEADER);
            if (header[0] != HANDSHAKE) {
                throw new IOException("a TLS hello is followed by something else before its end");
            }
            byte[] behindType = new byte[RECORD_HEADER - 1];
            System.arraycopy(header, 1, behindType, 0, behindType.length);
            message.writeBytes(in.readRecord(behindType));
        }
        return new ClientHello(true, nameIn(message.toByteArray(), length(message)), in.all.toByteArray());
    }

    private static int length(ByteArrayOutputStream message) throws IOException {
        ByteBuffer start = ByteBuffer.wrap(message.toByteArray());
        if (start.get() != HELLO) {
            throw new IOException("a TLS client does not begin with a hello");
        }
        int length = (start.get() & 0xff) << Short.SIZE | (start.getShort() & 0xffff);
        if (length > MAX_BYTES) {
            throw new IOException("a TLS hello is too long");
        }
        return length;
    }

    private static Optional<String> nameIn(byte[] message, int length) throws IOException {
        ByteBuffer hello = ByteBuffer.wrap(message, HANDSHAKE_HEADER, length);
        try {
            skip(hello, VERSION_AND_RANDOM);
            skip(hello, hello.get() & 0xff);
            skip(hello, hello.getShort() & 0xffff);
            skip(hello, hello.get() & 0xff);
            return hello.hasRemaining() ? nameAmong(part(hello)) : Optional.empty();
        } catch (BufferUnderflowException cut) {
            throw new IOException("a TLS hello ends within one of its parts", cut);
        }
    }

    private static Optional<String> nameAmong(ByteBuffer extensions) throws IOException {
        Optional<String> name = Optional.empty();
        boolean named = false;
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            ByteBuffer extension = part(extensions);
            if (type == SERVER_NAME) {
                if (named) {
                    throw new IOException("a TLS hello names its server twice");
                }
                named = true;
                name = hostName(part(extension));
            }
        }
        return name;
    }

    private static Optional<String> hostName(ByteBuffer names) {
        boolean isHost = names.get() == HOST_NAME;
        ByteBuffer name = part(names);
        if (!isHost || names.hasRemaining() || name.remaining() > MAX_NAME_LENGTH) {
            return Optional.empty();
        }
        return Optional.of(StandardCharsets.ISO_8859_1.decode(name).toString().toLowerCase(Locale.ROOT));
    }

    /** The next part, which has its length in front. */
    private static ByteBuffer part(ByteBuffer whole) {
        int length = whole.getShort() & 0xffff;
        skip(whole, length);
        return whole.slice(whole.position() - length, length);
    }

    private static void skip(ByteBuffer whole, int count) {
        if (count > whole.remaining()) {
            throw new BufferUnderflowException();
        }
        whole.position(whole.position() + count);
    }

    /** Bytes from two places, and all of them once more. */
    private static final class Input {
        private final byte[] first;
        private final InputStream rest;
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();
        private int taken;

        private Input(byte[] first, InputStream rest) {
            this.first = first;
            this.rest = rest;
        }

        private byte[] readRecord(byte[] versionAndLength) throws IOException {
            int length = (versionAndLength[2] & 0xff) << Byte.SIZE | (versionAndLength[3] & 0xff);
            if (versionAndLength[0] != 3 || length == 0) {
                throw new IOException("a TLS hello is not in records of TLS");
            }
            return read(length);
        }

        private byte[] read(int count) throws IOException {
            if (all.size() + count > MAX_BYTES) {
                throw new IOException("a TLS hello is too long");
            }
            byte[] bytes = new byte[count];
            int known = Math.min(count, first.length - taken);
            System.arraycopy(first, taken, bytes, 0, known);
            taken += known;
            int read = rest.readNBytes(bytes, known, count - known);
            if (read < count - known) {
                throw new EOFException("a TLS hello was cut off");
            }
            all.writeBytes(bytes);
            return bytes;
        }
    }
}
