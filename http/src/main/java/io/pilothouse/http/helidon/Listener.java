package io.pilothouse.http.helidon;

import io.helidon.service.registry.GlobalServiceRegistry;
import io.helidon.service.registry.ServiceRegistryConfig;
import io.helidon.service.registry.ServiceRegistryManager;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.pilothouse.http.wire.Gate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** One address that answers HTTP/1.1; closing it lets running requests end first. */
public final class Listener implements AutoCloseable {
    private static final int BACKLOG = 1024;
    /** This much of a streamed answer goes to the socket in one piece. */
    private static final int PIECE_BYTES = 1 << 15;

    private static final Duration LOOK_PERIOD = Duration.ofMillis(200);

    // Every part of the server that is wanted is named below. Looking for more, in all jars, would be a good part of a
    // start.
    static {
        GlobalServiceRegistry.registry(ServiceRegistryManager.create(ServiceRegistryConfig.builder()
                        .discoverServices(false)
                        .discoverServicesFromServiceLoader(false)
                        .build())
                .registry());
    }

    private final WebServer server;
    private final AtomicBoolean stopping;

    private Listener(WebServer server, AtomicBoolean stopping) {
        this.server = server;
        this.stopping = stopping;
    }

    /**
     * Begins to listen; port 0 takes any free one.
     *
     * @throws IOException if the address is taken or not one of this machine
     */
    public static Listener start(String name, InetSocketAddress address, ListenerLimits limits, Gate gate)
            throws IOException {
        requireFree(address);
        AtomicBoolean stopping = new AtomicBoolean();
        WebServer server = server(limits)
                .bindAddress(address)
                .directHandlers(new TransportErrors(gate).handlers())
                .addConnectionSelector(new GuardedSelector(http1(limits), gate, limits, stopping))
                .build();
        server.start();
        if (!server.isRunning()) {
            throw new IOException("The " + name + " listener cannot listen on " + address);
        }
        return new Listener(server, stopping);
    }

    private static WebServerConfig.Builder server(ListenerLimits limits) {
        return WebServer.builder()
                .shutdownHook(false)
                .featuresDiscoverServices(false)
                .protocolsDiscoverServices(false)
                .backlog(BACKLOG)
                .maxTcpConnections(limits.connections())
                .shutdownGracePeriod(limits.stopTime())
                .idleConnectionPeriod(LOOK_PERIOD)
                .idleConnectionTimeout(GuardedConnection.TOO_LONG)
                .writeBufferSize(PIECE_BYTES)
                .connectionOptions(options -> options.tcpNoDelay(true));
    }

    /** Checked first, because the server logs a failure to listen with a stack trace and does not throw. */
    private static void requireFree(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel probe = ServerSocketChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            probe.bind(address);
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
        return server.port();
    }

    /** Accepts no more connections, lets running requests end for as long as the limits allow, and then closes. */
    @Override
    public void close() {
        stopping.set(true);
        server.stop();
    }
}
