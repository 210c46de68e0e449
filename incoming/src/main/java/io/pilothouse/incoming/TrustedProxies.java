package io.pilothouse.incoming;

import io.pilothouse.core.base.IpBlock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The proxies whose word is taken for where a client is. Their lists are read from the end, where the nearest proxy
 * wrote: the first address that is no trusted proxy's is the client's, and whatever stands before it anybody may have
 * written.
 */
public final class TrustedProxies {
    /** Nobody's word is taken. */
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern FOR = Pattern.compile(
            "(?:^|;)\\s*for\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;\"]*))\\s*(?:;|$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern IPV6 = Pattern.compile("\\[([0-9A-Fa-f:.]+)](?::\\d{1,5})?");
    private static final Pattern IPV4_PORT = Pattern.compile("([0-9.]+):\\d{1,5}");

    private final List<IpBlock> blocks;

    public TrustedProxies(List<IpBlock> blocks) {
        this.blocks = List.copyOf(blocks);
    }

    public boolean trusts(InetAddress peer) {
        for (IpBlock block : blocks) {
            if (block.contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /** The client of a request from this peer with these fields; {@code Forwarded} counts where both are there. */
    public InetAddress client(InetAddress peer, List<String> forwarded, List<String> forwardedFor) {
        if (!trusts(peer)) {
            return peer;
        }
        List<Optional<InetAddress>> hops = new ArrayList<>();
        for (String line : forwarded.isEmpty() ? forwardedFor : forwarded) {
            for (String hop : COMMA.split(line, -1)) {
                hops.add(forwarded.isEmpty() ? address(hop.strip()) : forAddress(hop));
            }
        }
        InetAddress client = peer;
        for (Optional<InetAddress> hop : hops.reversed()) {
            // Behind what cannot be read, nothing is known.
            if (hop.isEmpty()) {
                return client;
            }
            client = hop.get();
            if (!trusts(client)) {
                return client;
            }
        }
        return client;
    }

    private static Optional<InetAddress> forAddress(String element) {
        Matcher matcher = FOR.matcher(element.strip());
        if (!matcher.find()) {
            return Optional.empty();
        }
        return address(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }

    private static Optional<InetAddress> address(String text) {
        Matcher ipv6 = IPV6.matcher(text);
        Matcher ipv4 = IPV4_PORT.matcher(text);
        String bare = ipv6.matches() ? ipv6.group(1) : ipv4.matches() ? ipv4.group(1) : text;
        return bare.indexOf('/') < 0 && IpBlock.parse(bare).isPresent()
                ? Optional.of(InetAddress.ofLiteral(bare))
                : Optional.empty();
    }
}
