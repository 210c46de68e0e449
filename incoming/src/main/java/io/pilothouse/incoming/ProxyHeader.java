package io.pilothouse.incoming;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The header of version 2 of the PROXY protocol, by which a proxy says whose connection it passes on.
 *
 * @param client empty where there is no header, or one without an address: the proxy asks for itself then
 * @param alreadyRead what was read and is no header
 */
@SuppressWarnings("ArrayRecordComponent")
public record ProxyHeader(Optional<InetAddress> client, byte[] alreadyRead) {
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final byte[] NOTHING = {};
    private static final int VERSION = 2;
    private static final int PROXY = 1;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int MAX_BYTES = 2048;

    /**
     * Reads a header, or the few bytes that show that there is none.
     *
     * @throws IOException if the header is damaged
     */
    public static ProxyHeader read(InputStream in) throws IOException {
        byte[] begun = new byte[SIGNATURE.length];
        for (int count = 0; count < SIGNATURE.length; count++) {
            int next = in.read();
            if (next < 0) {
                return new ProxyHeader(Optional.empty(), Arrays.copyOf(begun, count));
            }
            begun[count] = (byte) next;
            if (begun[count] != SIGNATURE[count]) {
                return new ProxyHeader(Optional.empty(), Arrays.copyOf(begun, count + 1));
            }
        }
        ByteBuffer fixed = ByteBuffer.wrap(whole(in, 4));
        int versionAndCommand = fixed.get();
        int family = fixed.get() >>> 4 & 0xf;
        int length = fixed.getShort() & 0xffff;
        if (versionAndCommand >>> 4 != VERSION || length > MAX_BYTES) {
            throw new IOException("the PROXY header is not one of version 2");
        }
        byte[] rest = whole(in, length);
        int size = family == IPV4 ? 4 : family == IPV6 ? 16 : 0;
        if ((versionAndCommand & 0xf) != PROXY || size == 0) {
            return new ProxyHeader(Optional.empty(), NOTHING);
        }
        if (rest.length < 2 * size + 4) {
            throw new IOException("the PROXY header ends within its addresses");
        }
        return new ProxyHeader(Optional.of(InetAddress.getByAddress(Arrays.copyOf(rest, size))), NOTHING);
    }

    private static byte[] whole(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the PROXY header was cut off");
        }
        return bytes;
    }
}
