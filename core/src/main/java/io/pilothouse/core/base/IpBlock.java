package io.pilothouse.core.base;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address or CIDR block; IPv4 written as IPv6 (mapped) counts as IPv4. Two that let the same addresses in are equal,
 * however they were written. Never looks up a name.
 */
public final class IpBlock {
    private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*(\\d{1,3}(\\.\\d{1,3}){3})?");
    private static final Pattern PREFIX = Pattern.compile("0|[1-9]\\d{0,2}");
    private static final int MAPPED_BITS = 96;

    private final byte[] network;
    private final int prefixBits;

    private IpBlock(byte[] network, int prefixBits) {
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /** Reads {@code 10.0.0.0/8}, {@code 192.0.2.7}, {@code 2001:db8::/32}; empty for anything else. */
    public static Optional<IpBlock> parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean writtenAsIpv6 = address.indexOf(':') >= 0;
        if (!(writtenAsIpv6 ? IPV6 : IPV4).matcher(address).matches()) {
            return Optional.empty();
        }
        byte[] bytes;
        try {
            bytes = InetAddress.ofLiteral(address).getAddress();
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
        int mapped = writtenAsIpv6 && bytes.length == 4 ? MAPPED_BITS : 0;
        int bits = bytes.length * Byte.SIZE;
        if (slash < 0) {
            return Optional.of(new IpBlock(bytes, bits));
        }
        String prefix = text.substring(slash + 1);
        if (!PREFIX.matcher(prefix).matches()) {
            return Optional.empty();
        }
        int length = Integer.parseInt(prefix) - mapped;
        return length < 0 || length > bits ? Optional.empty() : Optional.of(new IpBlock(bytes, length));
    }

    /** Whether an address, as the socket gives it, lies in this block. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = prefixBits / Byte.SIZE;
        if (!Arrays.equals(bytes, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = prefixBits % Byte.SIZE;
        return rest == 0 || ((bytes[whole] ^ network[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
    }

    private byte[] masked() {
        byte[] masked = network.clone();
        for (int bit = prefixBits; bit < masked.length * Byte.SIZE; bit++) {
            masked[bit / Byte.SIZE] &= (byte) ~(0x80 >> (bit % Byte.SIZE));
        }
        return masked;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpBlock block
                && prefixBits == block.prefixBits
                && Arrays.equals(masked(), block.masked());
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(masked()) + prefixBits;
    }
}
