package io.pilothouse.gateway;

import io.pilothouse.gateway.name.ClientHello;
import io.pilothouse.incoming.Origin;
import io.pilothouse.incoming.ProxyHeader;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections that no service has admitted yet, because a proxy's header has to say who the client is, or a TLS hello
 * for which service it came. Each has a seat and little time. Safe for many threads.
 */
final class GatewayArrivals {
    private static final Duration PATIENCE = GatewayLimits.STANDARD.firstWords();
    private static final byte[] NOTHING = {};
    /** A fatal alert of TLS: there is no server of this name. */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private static final int SINK = 4 * 1024;

    private final Seats seats;
    private final TrustedProxies proxies;
    private final Set<Arrival> all = ConcurrentHashMap.newKeySet();

    GatewayArrivals(Seats seats, TrustedProxies proxies) {
        this.seats = seats;
        this.proxies = proxies;
    }

    /** Whether a connection from this address begins with a proxy's word for whose it is. */
    boolean isProxy(InetAddress peer) {
        return proxies.trusts(peer);
    }

    /** Empty if there is no seat. */
    Optional<Arrival> seat(Socket socket) {
        InetAddress peer = socket.getInetAddress();
        // The clients of a proxy share its address, so that is no party
        List<Seats.Party> parties = isProxy(peer) ? List.of() : List.of(seats.party(Origin.of(peer)));
        Optional<Arrival> arrival =
                seats.take(parties, () -> GatewayLog.closeQuietly(socket)).map(seat -> new Arrival(socket, seat));
        arrival.ifPresent(all::add);
        return arrival;
    }

    void sweep(long now) {
        for (Arrival arrival : all) {
            if (now - arrival.since > PATIENCE.toNanos()) {
                GatewayLog.closeQuietly(arrival.socket);
            }
        }
    }

    void closeAll() {
        all.forEach(arrival -> GatewayLog.closeQuietly(arrival.socket));
    }

    /** One of them, read by one thread. */
    final class Arrival {
        private final Socket socket;
        private final Seats.Seat seat;
        private final long since = System.nanoTime();
        private InetAddress client;
        private byte[] alreadyRead = NOTHING;

        private Arrival(Socket socket, Seats.Seat seat) {
            this.socket = socket;
            this.seat = seat;
            this.client = socket.getInetAddress();
        }

        /** What was read of the client's own bytes. */
        byte[] alreadyRead() {
            return alreadyRead;
        }

        /** The client as its service admits it; one for no service hears the same as one that its service keeps out. */
        Optional<GatewayConnection> admit(GatewayListener.Owner owner, GatewayProtocol protocol) throws IOException {
            if (!learnClient(protocol)) {
                return Optional.empty();
            }
            return switch (owner) {
                case GatewayListener.Owner.One(GatewayRegistration service) -> enter(service, protocol);
                case GatewayListener.Owner.Elsewhere(GatewayRegistration service, Runnable look) -> {
                    look.run();
                    yield enter(service, protocol);
                }
                case GatewayListener.Owner.Named named -> {
                    ClientHello hello = ClientHello.read(alreadyRead, socket.getInputStream());
                    alreadyRead = hello.bytes();
                    yield hello.isTls() ? enterNamed(hello, named, protocol) : refusePlainText(protocol);
                }
            };
        }

        /** It was admitted, or it has ended. */
        void leave() {
            all.remove(this);
            seat.leave();
        }

        /** False for a proxy that does not say whose connection it is where clients wait for the first word. */
        private boolean learnClient(GatewayProtocol protocol) throws IOException {
            if (!isProxy(client)) {
                return true;
            }
            ProxyHeader header = ProxyHeader.read(socket.getInputStream());
            alreadyRead = header.alreadyRead();
            if (header.client().isEmpty()) {
                return protocol != GatewayProtocol.MYSQL || alreadyRead.length == 0;
            }
            client = header.client().get();
            return seat.join(seats.party(Origin.of(client)));
        }

        private Optional<GatewayConnection> enterNamed(
                ClientHello hello, GatewayListener.Owner.Named named, GatewayProtocol protocol) throws IOException {
            Optional<GatewayConnection> admitted = hello.name()
                    .flatMap(name ->
                            named.names().find(name).or(() -> named.others().apply(name)))
                    .flatMap(service -> enter(service, protocol));
            if (admitted.isEmpty()) {
                socket.getOutputStream().write(UNRECOGNIZED_NAME);
            }
            return admitted;
        }

        /** Gives this seat back first: the service takes one that counts as its own. */
        private Optional<GatewayConnection> enter(GatewayRegistration service, GatewayProtocol protocol) {
            leave();
            return service.admit(socket, client, protocol);
        }

        private Optional<GatewayConnection> refusePlainText(GatewayProtocol protocol) throws IOException {
            socket.getOutputStream().write(GatewayReception.notSecured(protocol));
            socket.shutdownOutput();
            // Closing with unread bytes would discard the answer before the client reads it
            byte[] sink = new byte[SINK];
            int count = 0;
            while (count >= 0) {
                count = socket.getInputStream().read(sink);
            }
            return Optional.empty();
        }
    }
}
