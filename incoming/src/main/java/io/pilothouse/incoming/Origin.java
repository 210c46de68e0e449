package io.pilothouse.incoming;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where a client comes from, as far as shares and limits are concerned: its IPv4 address, or the /64 of its IPv6
 * address, because one machine usually has all of that.
 */
public record Origin(long prefix, boolean ipv6) {
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    public static Origin of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == Integer.BYTES) {
            return new Origin(ByteBuffer.wrap(bytes).getInt(), false);
        }
        if (Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
            return new Origin(
                    ByteBuffer.wrap(bytes, MAPPED.length, Integer.BYTES).getInt(), false);
        }
        return new Origin(ByteBuffer.wrap(bytes).getLong(), true);
    }
}
