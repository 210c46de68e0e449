package io.pilothouse.gateway;

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
import jdk.net.ExtendedSocketOptions;

/** One listening port: admits clients that the access list allows, and turns all others away before a byte is read. */
final class GatewayListener implements Runnable {
    private static final int BACKLOG = 1024;
    private static final int BREATHER_MILLIS = 100;
    private static final int LETTING_GO_MILLIS = 2_000;
    private static final int KEEP_ALIVE_SECONDS = 60;

    private final ServerSocket server;
    private final GatewayProtocol protocol;
    private final GatewayRegistration registration;
    private final GatewayReception reception;
    private final Executor threads;
    private final boolean loopback;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private GatewayListener(
            ServerSocket server,
            GatewayProtocol protocol,
            GatewayRegistration registration,
            GatewayReception reception,
            Executor threads) {
        this.server = server;
        this.protocol = protocol;
        this.registration = registration;
        this.reception = reception;
        this.threads = threads;
        this.loopback = server.getInetAddress().isLoopbackAddress();
    }

    static GatewayListener open(
            InetAddress address,
            int port,
            GatewayProtocol protocol,
            GatewayRegistration registration,
            GatewayReception reception,
            Executor threads)
            throws IOException {
        ServerSocket server = bind(address, port);
        GatewayListener listener = new GatewayListener(server, protocol, registration, reception, threads);
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
        Optional<GatewayConnection> admitted = registration.admit(socket, protocol);
        if (admitted.isEmpty()) {
            GatewayLog.closeQuietly(socket);
            return;
        }
        GatewayConnection connection = admitted.get();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
            }
            threads.execute(() -> serve(connection));
        } catch (IOException | RejectedExecutionException gone) {
            GatewayLog.debug("a client was gone before it was served, or the server is closing", gone);
            registration.leave(connection);
        }
    }

    private void serve(GatewayConnection connection) {
        try {
            reception.serve(connection, loopback);
        } catch (IOException | RejectedExecutionException gone) {
            GatewayLog.debug("a client's connection ended", gone);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            GatewayLog.warn("a client of port " + server.getLocalPort() + " could not be served", bug);
        } finally {
            registration.leave(connection);
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
