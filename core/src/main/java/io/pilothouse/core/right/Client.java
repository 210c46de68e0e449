package io.pilothouse.core.right;

import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What sent a request: its address, and what it calls itself. The second is a claim that nobody has checked. */
public record Client(InetAddress address, @Nullable String agent) {
    private static final int MAX_AGENT_LENGTH = 255;
    private static final Pattern UNREADABLE = Pattern.compile("[^\\x20-\\x7E]");

    /** Of the name that was sent, what can be read is kept, up to a length. */
    public static Client of(InetAddress address, @Nullable String agent) {
        String readable =
                agent == null ? "" : UNREADABLE.matcher(agent).replaceAll("").strip();
        String kept = readable.substring(0, Math.min(readable.length(), MAX_AGENT_LENGTH));
        return new Client(address, kept.isEmpty() ? null : kept);
    }

    /** The address as people write it, without the name of an interface of this machine. */
    public String host() {
        String host = address.getHostAddress();
        int zone = host.indexOf('%');
        return zone < 0 ? host : host.substring(0, zone);
    }
}
