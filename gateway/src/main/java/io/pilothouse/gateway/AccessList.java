package io.pilothouse.gateway;

import io.pilothouse.core.base.IpBlock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Who may connect. An empty list lets no one in. An IPv4 address mapped into IPv6 counts as IPv4, so {@code ::/0} alone
 * lets no IPv4 peer in. A check takes time that grows with the logarithm of the list, and never asks a name service.
 */
public final class AccessList {
    /** Lets no one in. */
    public static final AccessList NOBODY = of(List.of());

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private final AccessListRanges ipv4;
    private final AccessListRanges ipv6;

    private AccessList(AccessListRanges ipv4, AccessListRanges ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /** Takes addresses and CIDR blocks as they are written in a service's list. */
    public static AccessList of(Collection<String> sources) {
        List<AccessListRanges.Range> ipv4 = new ArrayList<>();
        List<AccessListRanges.Range> ipv6 = new ArrayList<>();
        for (String source : sources) {
            if (IpBlock.parse(source).isEmpty()) {
                throw new IllegalArgumentException("Not an IP address or CIDR block: " + source);
            }
            int slash = source.indexOf('/');
            String written = slash < 0 ? source : source.substring(0, slash);
            byte[] address = InetAddress.ofLiteral(written).getAddress();
            int bits = address.length * Byte.SIZE;
            int writtenBits = (written.indexOf(':') < 0 ? IPV4_BYTES : IPV6_BYTES) * Byte.SIZE;
            int prefix = slash < 0 ? bits : Integer.parseInt(source.substring(slash + 1)) - (writtenBits - bits);
            (address.length == IPV4_BYTES ? ipv4 : ipv6).add(AccessListRanges.Range.of(address, prefix));
        }
        return new AccessList(new AccessListRanges(ipv4), new AccessListRanges(ipv6));
    }

    public boolean allows(InetAddress peer) {
        byte[] address = unmapped(peer.getAddress());
        return (address.length == IPV4_BYTES ? ipv4 : ipv6).contain(address);
    }

    private static byte[] unmapped(byte[] address) {
        boolean mapped = address.length == IPV6_BYTES
                && Arrays.equals(address, 0, MAPPED_PREFIX.length, MAPPED_PREFIX, 0, MAPPED_PREFIX.length);
        return mapped ? Arrays.copyOfRange(address, MAPPED_PREFIX.length, IPV6_BYTES) : address;
    }
}
