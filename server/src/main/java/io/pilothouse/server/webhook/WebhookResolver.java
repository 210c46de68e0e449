package io.pilothouse.server.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up a name; asked once for each try, and what it says is what is connected to. */
@FunctionalInterface
public interface WebhookResolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;

    /** The way of this machine. */
    static WebhookResolver ofMachine() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
