package io.pilothouse.gateway;

import io.pilothouse.gateway.name.ServiceNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;

/**
 * One listening port. A client of a service's own port that comes without a proxy is admitted or turned away before a
 * byte is read, all others once it is known who and for which service they are.
 */
final class GatewayListener implements Runnable {
    private static final int BACKLOG = 1024;
    private static final int BREATHER_MILLIS = 100;
    private static final int LETTING_GO_MILLIS = 2_000;
    private static final int KEEP_ALIVE_SECONDS = 60;
    private static final byte[] NOTHING = {};

    private final ServerSocket server;
    private final GatewayProtocol protocol;
    private final Owner owner;
    private final GatewayArrivals arrivals;
    private final GatewayReception reception;
    private final Executor threads;
    private final boolean loopback;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Whose clients a port takes: those of one service, or of each that a TLS hello names. {@code look} brings the one
     * up to date before it admits a client, and {@code others} finds names of services that are elsewhere.
     */
    sealed interface Owner {
        record One(GatewayRegistration service) implements Owner {}

        record Elsewhere(GatewayRegistration service, Runnable look) implements Owner {}

        record Named(ServiceNames<GatewayRegistration> names, Function<String, Optional<GatewayRegistration>> others)
                implements Owner {}
    }

    private GatewayListener(
            ServerSocket server,
            GatewayProtocol protocol,
            Owner owner,
            GatewayArrivals arrivals,
            GatewayReception reception,
            Executor threads) {
        this.server = server;
        this.protocol = protocol;
        this.owner = owner;
        this.arrivals = arrivals;
        this.reception = reception;
        this.threads = threads;
        this.loopback = server.getInetAddress().isLoopbackAddress();
    }

    static GatewayListener open(
            InetAddress address,
            int port,
            GatewayProtocol protocol,
            Owner owner,
            GatewayArrivals arrivals,
            GatewayReception reception,
            Executor threads)
            throws IOException {
        ServerSocket server = bind(address, port);
        GatewayListener listener = new GatewayListener(server, protocol, owner, arrivals, reception, threads);
        try {
            threads.execute(listener);
        } catch (RejectedExecutionException closing) {
            server.close();
            throw closing;
        }
        return listener;
    }

    static ServerSocket bind(InetAddress address, int port) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(new InetSocketAddress(address, port), BACKLOG);
            return server;
        } catch (IOException taken) {
            server.close();
            throw new IOException(
                    "The gateway cannot listen on " + address.getHostAddress() + ", port " + port + ": "
                            + taken.getMessage(),
                    taken);
        }
    }

    @Override
    public void run() {
        try {
            while (!server.isClosed()) {
                acceptNext();
            }
        } finally {
            ended.countDown();
        }
    }

    /** Returns when the port is free again: the kernel keeps it until the accepting thread has let go. */
    void close() {
        GatewayLog.closeQuietly(server);
        closed.countDown();
        if (!await(ended, LETTING_GO_MILLIS)) {
            GatewayLog.warn("port " + server.getLocalPort() + " is released slowly");
        }
    }

    private void acceptNext() {
        try {
            welcome(server.accept());
        } catch (IOException failed) {
            if (!server.isClosed()) {
                // most likely out of file descriptors: another connection has to close first
                GatewayLog.warn("a connection to port " + server.getLocalPort() + " could not be taken", failed);
                await(closed, BREATHER_MILLIS);
            }
        }
    }

    private void welcome(Socket socket) {
        InetAddress peer = socket.getInetAddress();
        if (owner instanceof Owner.One(GatewayRegistration service) && !arrivals.isProxy(peer)) {
            service.admit(socket, peer, protocol)
                    .ifPresentOrElse(admitted -> welcome(admitted, socket), () -> GatewayLog.closeQuietly(socket));
        } else {
            arrivals.seat(socket)
                    .ifPresentOrElse(arrival -> welcome(arrival, socket), () -> GatewayLog.closeQuietly(socket));
        }
    }

    private void welcome(GatewayConnection admitted, Socket socket) {
        try {
            prepare(socket);
            threads.execute(() -> serve(admitted, NOTHING));
        } catch (IOException | RejectedExecutionException gone) {
            GatewayLog.debug("a client was gone before it was served, or the server is closing", gone);
            admitted.registration().leave(admitted);
        }
    }

    private void welcome(GatewayArrivals.Arrival arrival, Socket socket) {
        try {
            prepare(socket);
            threads.execute(() -> receive(arrival, socket));
        } catch (IOException | RejectedExecutionException gone) {
            GatewayLog.debug("a client was gone before it was asked, or the server is closing", gone);
            arrival.leave();
            GatewayLog.closeQuietly(socket);
        }
    }

    private static void prepare(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
        }
    }

    private void receive(GatewayArrivals.Arrival arrival, Socket socket) {
        Optional<GatewayConnection> admitted = Optional.empty();
        try {
            admitted = arrival.admit(owner, protocol);
        } catch (IOException gone) {
            GatewayLog.debug("a client ended before it was known who or for which service it is", gone);
        } catch (RuntimeException bug) {
            GatewayLog.warn("a client of port " + server.getLocalPort() + " could not be admitted", bug);
        } finally {
            arrival.leave();
        }
        admitted.ifPresentOrElse(
                connection -> serve(connection, arrival.alreadyRead()), () -> GatewayLog.closeQuietly(socket));
    }

    private void serve(GatewayConnection connection, byte[] alreadyRead) {
        try {
            reception.serve(connection, alreadyRead, loopback);
        } catch (IOException | RejectedExecutionException gone) {
            GatewayLog.debug("a client's connection ended", gone);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            GatewayLog.warn("a client of port " + server.getLocalPort() + " could not be served", bug);
        } finally {
            connection.registration().leave(connection);
        }
    }

    private static boolean await(CountDownLatch latch, long atMostMillis) {
        try {
            return latch.await(atMostMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
