package io.pilothouse.gateway;

import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.HostName;
import io.pilothouse.incoming.tls.TlsKeys;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the whole gateway.
 *
 * @param host the name or address that clients are given
 * @param addresses where it listens; more than one for, say, both families of loopback
 * @param connections open at once, over all services, so that clients never use up the process's file descriptors
 * @param room memory for request heads, bodies and answers beyond the usual few kilobytes, over all services
 * @param logins counts those that failed, over all services
 * @param pages the pages of databases that clients may ask for
 * @param shared the ports that services share; empty where each has its own
 * @param proxies whose word is taken for where a client is
 */
public record GatewaySettings(
        String host,
        List<InetAddress> addresses,
        int connections,
        Room room,
        Guesses logins,
        GatewayPages pages,
        Optional<Shared> shared,
        TrustedProxies proxies) {
    public GatewaySettings {
        host = HostName.canonical(host);
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty() || connections <= 0) {
            throw new IllegalArgumentException("The gateway needs an address to listen on and limits above zero");
        }
    }

    /** Ports that services share, and the certificate that is shown there. */
    public record Shared(SharedPorts ports, TlsKeys keys) {}

    /** Every service has ports of its own, and no proxy is trusted. */
    public GatewaySettings(
            String host, List<InetAddress> addresses, int connections, Room room, Guesses logins, GatewayPages pages) {
        this(host, addresses, connections, room, logins, pages, Optional.empty(), TrustedProxies.NONE);
    }

    public GatewaySettings sharing(SharedPorts ports, TlsKeys keys) {
        return new GatewaySettings(
                host, addresses, connections, room, logins, pages, Optional.of(new Shared(ports, keys)), proxies);
    }

    public GatewaySettings trusting(TrustedProxies trusted) {
        return new GatewaySettings(host, addresses, connections, room, logins, pages, shared, trusted);
    }

    /** For this machine alone, with any number of failed logins and all pages; in both families where it has them, since {@code localhost} may mean either. */
    public static GatewaySettings loopback() {
        InetAddress ipv6 = InetAddress.ofLiteral("::1");
        List<InetAddress> addresses = new ArrayList<>(List.of(InetAddress.ofLiteral("127.0.0.1")));
        try {
            if (NetworkInterface.getByInetAddress(ipv6) != null) {
                addresses.add(ipv6);
            }
        } catch (SocketException unknown) {
            GatewayLog.debug("this machine's addresses could not be listed", unknown);
        }
        return new GatewaySettings(
                "localhost",
                addresses,
                10_000,
                Room.ofHeap(),
                new Guesses(0, System::nanoTime, new byte[0]),
                GatewayPages.ALL);
    }
}
