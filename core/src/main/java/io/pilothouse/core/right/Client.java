package io.pilothouse.core.right;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What sent a request: its address, and what it calls itself. The second is a claim that nobody has checked. */
public record Client(String address, @Nullable String agent) {
    private static final int MAX_AGENT_LENGTH = 255;

    /** Of the name that was sent, what can be read is kept, up to a length. */
    public static Client of(InetAddress address, @Nullable String agent) {
        String readable =
                agent == null ? "" : agent.replaceAll("[^\\x20-\\x7E]", "").strip();
        String kept = readable.substring(0, Math.min(readable.length(), MAX_AGENT_LENGTH));
        String host = address.getHostAddress();
        int zone = host.indexOf('%');
        return new Client(zone < 0 ? host : host.substring(0, zone), kept.isEmpty() ? null : kept);
    }
}
