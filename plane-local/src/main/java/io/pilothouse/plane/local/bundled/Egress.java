package io.pilothouse.plane.local.bundled;

import io.pilothouse.core.webhook.WebhookAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where SQL in a database may connect to: port 443 of public addresses, single places that the operator named, both, or
 * nowhere.
 */
public record Egress(boolean toPublic, List<Place> places) {
    public static final Egress NONE = new Egress(false, List.of());
    public static final Egress PUBLIC = new Egress(true, List.of());

    private static final int HTTPS = 443;
    private static final int MAX_PORT = 65_535;
    private static final Pattern PLACE =
            Pattern.compile("([A-Za-z0-9]([A-Za-z0-9.-]{0,252})|\\[[0-9A-Fa-f:.]{2,45}]):([0-9]{1,5})");
    private static final WebhookAddresses PUBLIC_ADDRESSES = WebhookAddresses.allowing(List.of());

    /** A host, which is an address (IPv6 without brackets) or a name, and a port of it. */
    public record Place(String host, int port) {
        private boolean is(InetSocketAddress target) {
            return port == target.getPort() && Arrays.asList(addresses()).contains(target.getAddress());
        }

        /** Looked up when it is needed: a name may move. */
        private InetAddress[] addresses() {
            try {
                return InetAddress.getAllByName(host);
            } catch (UnknownHostException nowhere) {
                return new InetAddress[0];
            }
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    public Egress {
        places = List.copyOf(places);
    }

    /** Reads {@code none}, or {@code public} and {@code HOST:PORT} with commas between. */
    public static Egress parse(String text) {
        if (text.equals("none")) {
            return NONE;
        }
        boolean toPublic = false;
        List<Place> places = new ArrayList<>();
        for (String entry : text.split(",", -1)) {
            if (entry.strip().equals("public")) {
                toPublic = true;
            } else {
                places.add(place(entry.strip()));
            }
        }
        return new Egress(toPublic, places);
    }

    private static Place place(String entry) {
        Matcher matcher = PLACE.matcher(entry);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("neither public nor HOST:PORT");
        }
        String host = matcher.group(1);
        return new Place(
                host.startsWith("[")
                        ? InetAddress.ofLiteral(host.substring(1, host.length() - 1))
                                .getHostAddress()
                        : host.toLowerCase(Locale.ROOT),
                port);
    }

    public boolean allows(InetSocketAddress target) {
        return (toPublic && target.getPort() == HTTPS && PUBLIC_ADDRESSES.allow("", target.getAddress()))
                || places.stream().anyMatch(place -> place.is(target));
    }

    /** Whether it may ask for the addresses of names. */
    public boolean looksUpNames() {
        return !equals(NONE);
    }

    /** All ports that it may connect to somewhere. */
    public SortedSet<Integer> ports() {
        return places.stream()
                .map(Place::port)
                .collect(Collectors.toCollection(() -> new TreeSet<>(toPublic ? List.of(HTTPS) : List.of())));
    }

    /** What {@link #parse} reads. */
    @Override
    public String toString() {
        String all = Stream.concat(
                        toPublic ? Stream.of("public") : Stream.empty(),
                        places.stream().map(Place::toString))
                .collect(Collectors.joining(","));
        return all.isEmpty() ? "none" : all;
    }
}
