package io.pilothouse.http.helidon;

import io.helidon.common.Builder;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.service.registry.GlobalServiceRegistry;
import io.helidon.service.registry.ServiceRegistryConfig;
import io.helidon.service.registry.ServiceRegistryManager;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.incoming.Origin;
import io.pilothouse.incoming.Seats;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One address that answers HTTP/1.1; closing it lets running requests end first. It accepts by itself and hands what
 * the library is good at, the protocol, to the library.
 */
public final class Listener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final int BACKLOG = 1024;
    /** Clients for whom there is no seat that are told so; more of them find a closed door. */
    private static final int REFUSED_POLITELY = 64;

    private static final Duration LOOK_PERIOD = Duration.ofMillis(200);
    private static final Duration BREATHER = Duration.ofMillis(100);
    private static final Duration PACE_OF_STOP = Duration.ofMillis(5);
    private static final Duration LETTING_GO = Duration.ofSeconds(2);

    // Every part of the server that is wanted is named below. Looking for more, in all jars, would be a good part of a
    // start.
    static {
        GlobalServiceRegistry.registry(ServiceRegistryManager.create(ServiceRegistryConfig.builder()
                        .discoverServices(false)
                        .discoverServicesFromServiceLoader(false)
                        .build())
                .registry());
    }

    private final ServerSocket server;
    private final Ground ground;
    private final Seats seats;
    private final Semaphore politely = new Semaphore(REFUSED_POLITELY);
    private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    /** What all visits to a listener share. */
    record Ground(
            ListenerLimits limits,
            Entrance entrance,
            ListenerParts parts,
            Http1ConnectionSelector http1,
            Router router,
            TransportErrors errors,
            Limit requests,
            AtomicBoolean stopping) {}

    private Listener(ServerSocket server, Ground ground) {
        this.server = server;
        this.ground = ground;
        this.seats = new Seats(ground.limits().connections());
    }

    /**
     * Begins to listen; port 0 takes any free one.
     *
     * @throws IOException if the address is taken or not one of this machine
     */
    public static Listener start(
            String name, InetSocketAddress address, ListenerLimits limits, Gate gate, Entrance entrance)
            throws IOException {
        TransportErrors errors = new TransportErrors(gate);
        AtomicBoolean stopping = new AtomicBoolean();
        GateRouting routing = new GateRouting(gate, limits, stopping);
        Ground ground = new Ground(
                limits,
                entrance,
                ListenerParts.of(name, errors.handlers(), entrance.threads()),
                http1(limits),
                Router.builder().addRouting(new ReadyRouting(routing)).build(),
                errors,
                FixedLimit.create(),
                stopping);
        Listener listener = new Listener(bind(address), ground);
        entrance.threads().execute(listener::accept);
        entrance.threads().execute(listener::sweep);
        return listener;
    }

    /** The builder of a routing, which a router requires in place of the routing itself. */
    private record ReadyRouting(GateRouting routing) implements Builder<ReadyRouting, GateRouting> {
        @Override
        public GateRouting build() {
            return routing;
        }
    }

    private static ServerSocket bind(InetSocketAddress address) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(address, BACKLOG);
            return server;
        } catch (IOException taken) {
            server.close();
            throw taken;
        }
    }

    private static Http1ConnectionSelector http1(ListenerLimits limits) {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(limits.headBytes())
                        .maxHeadersSize(limits.headBytes())
                        .sendKeepAliveHeader(false)
                        // Its log holds whole heads, and with them credentials.
                        .log(log -> log.receiveLog(false).sendLog(false))
                        .buildPrototype())
                .build();
    }

    /** The actual port, which differs from the requested one if that was 0. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                acceptNext();
            }
        } finally {
            letGo.countDown();
        }
    }

    private void acceptNext() {
        try {
            welcome(server.accept());
        } catch (IOException failed) {
            if (!server.isClosed()) {
                // Most likely out of file descriptors: another connection has to close first.
                LOG.log(System.Logger.Level.WARNING, "A connection could not be accepted", failed);
                await(ended, BREATHER);
            }
        }
    }

    private void welcome(Socket socket) {
        // A trusted proxy's connections are many clients' own: each counts once it is known.
        List<Seats.Party> parties = ground.entrance().proxies().trusts(socket.getInetAddress())
                ? List.of()
                : List.of(seats.party(Origin.of(socket.getInetAddress())));
        Optional<Seats.Seat> seat = seats.take(parties, () -> Visit.closeQuietly(socket));
        boolean turnedAway = seat.isEmpty();
        if (turnedAway && !politely.tryAcquire()) {
            Visit.closeQuietly(socket);
            return;
        }
        Runnable leave = turnedAway ? politely::release : seat.get()::leave;
        Visit visit = new Visit(socket, ground, seats, seat);
        visits.add(visit);
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ground.entrance().threads().execute(() -> {
                try {
                    visit.run();
                } finally {
                    leave.run();
                    visits.remove(visit);
                }
            });
        } catch (IOException | RejectedExecutionException gone) {
            LOG.log(System.Logger.Level.DEBUG, "A client was gone before it was served", gone);
            Visit.closeQuietly(socket);
            leave.run();
            visits.remove(visit);
        }
    }

    private void sweep() {
        while (!await(ended, LOOK_PERIOD)) {
            visits.forEach(Visit::endIfLate);
        }
    }

    /** Whether it came true in that time. */
    private static boolean await(CountDownLatch latch, Duration atMost) {
        try {
            return latch.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Accepts no more connections, lets running requests end for as long as the limits allow, and then closes. */
    @Override
    public void close() {
        ground.stopping().set(true);
        try {
            server.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "A listener did not close cleanly", e);
        }
        long until = System.nanoTime() + ground.limits().stopTime().toNanos();
        while (!visits.isEmpty() && System.nanoTime() < until) {
            // Again each time: one may have been accepted just now, or be between two requests only now.
            visits.forEach(Visit::endUnlessAsked);
            if (await(ended, PACE_OF_STOP)) {
                break;
            }
        }
        visits.forEach(Visit::end);
        ended.countDown();
        // The kernel keeps the port until the accepting thread has let go of it.
        await(letGo, LETTING_GO);
    }
}
