package io.pilothouse.core.webhook;

import io.pilothouse.core.base.IpBlock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The addresses that webhooks and buckets may have: public ones, and those that the operator allowed by name or block.
 * Every address is checked before connecting, never just a name, because a name can resolve to anything.
 */
public final class WebhookAddresses {
    private static final List<IpBlock> NOT_PUBLIC = blocks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            // Teredo and its neighbours, examples, and 6to4, which carries an IPv4 address inside.
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20");

    /** All of public IPv6; a mapped IPv4 address has become an IPv4 address before this check. */
    private static final IpBlock GLOBAL_IPV6 = IpBlock.parse("2000::/3").orElseThrow();

    private static final int IPV4_BYTES = 4;

    private final List<IpBlock> allowed;
    private final Set<String> allowedHosts;

    private WebhookAddresses(List<IpBlock> allowed, Set<String> allowedHosts) {
        this.allowed = List.copyOf(allowed);
        this.allowedHosts = Set.copyOf(allowedHosts);
    }

    /** Public addresses, and beyond them these: each an address, a CIDR block or the name of a host. */
    public static WebhookAddresses allowing(List<String> entries) {
        List<IpBlock> blocks = new ArrayList<>();
        Set<String> hosts = new HashSet<>();
        for (String entry : entries) {
            Optional<IpBlock> block = IpBlock.parse(entry);
            block.ifPresentOrElse(blocks::add, () -> hosts.add(entry.toLowerCase(Locale.ROOT)));
        }
        return new WebhookAddresses(blocks, hosts);
    }

    /** Whether this address may be connected to for a URL with this host. */
    public boolean allow(String host, InetAddress address) {
        if (allowedHosts.contains(host.toLowerCase(Locale.ROOT))
                || allowed.stream().anyMatch(block -> block.contains(address))) {
            return true;
        }
        boolean global = address.getAddress().length == IPV4_BYTES || GLOBAL_IPV6.contains(address);
        return global && NOT_PUBLIC.stream().noneMatch(block -> block.contains(address));
    }

    /**
     * Whether a host may be connected to as far as it shows by itself: a name is looked up and checked before each
     * connection, with every address it resolves to.
     */
    public boolean allow(String host) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try {
            return allow(bare, InetAddress.ofLiteral(bare));
        } catch (IllegalArgumentException aName) {
            return true;
        }
    }

    private static List<IpBlock> blocks(String... texts) {
        List<IpBlock> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(IpBlock.parse(text).orElseThrow());
        }
        return List.copyOf(blocks);
    }
}
