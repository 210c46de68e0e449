package io.pilothouse.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** An address to listen on; port 0 takes any free one. */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final String REQUIREMENT =
            "must be HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080, with a port from 0 to 65535";

    static HostPort read(String text) throws BadValue {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new BadValue(REQUIREMENT);
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) {
            host = host.substring(1, host.length() - 1);
        }
        String port = text.substring(colon + 1);
        boolean wellFormed = bracketed == host.contains(":")
                && host.matches("[A-Za-z0-9.:_%-]+")
                && port.matches("[0-9]{1,5}")
                && Integer.parseInt(port) <= MAX_PORT;
        if (!wellFormed) {
            throw new BadValue(REQUIREMENT);
        }
        return new HostPort(host, Integer.parseInt(port));
    }

    /** The address of the host; a name is looked up. */
    public InetAddress address() throws UnknownHostException {
        return InetAddress.getByName(host);
    }

    /** The address for a client on this machine, once the host was looked up and the port is known. */
    public String url(boolean tls, InetAddress address, int boundPort) {
        String reachable = host;
        if (address.isAnyLocalAddress()) {
            reachable = host.contains(":") ? "::1" : "127.0.0.1";
        }
        return (tls ? "https://" : "http://") + new HostPort(reachable, boundPort);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
