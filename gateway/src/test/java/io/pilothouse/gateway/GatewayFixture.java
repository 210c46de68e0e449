package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;

import io.pilothouse.core.port.Ports;
import io.pilothouse.gateway.door.GatewayPorts;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A gateway on loopback with one service behind it. */
public final class GatewayFixture implements AutoCloseable {
    static final UUID SERVICE = UUID.fromString("0191d3a2-0000-7000-8000-000000000001");
    static final UUID OWNER = UUID.fromString("0191d3a2-0000-7000-8000-0000000000aa");
    static final String DOMAIN = "s.example.org";
    static final AccessList LOOPBACK = AccessList.of(List.of("127.0.0.0/8", "::1"));
    /** Below the ports that the system gives out, and apart from those of tests that run beside these. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 500 % 20_000));

    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final Gateway gateway;
    final Map<GatewayProtocol, Integer> ports;
    private final TlsAuthority authority;
    private SharedPorts shared = new SharedPorts(DOMAIN, 0, 0);

    GatewayFixture(Path folder) throws IOException, GeneralSecurityException {
        this(folder, GatewaySettings.loopback());
    }

    GatewayFixture(Path folder, GatewaySettings settings) throws IOException, GeneralSecurityException {
        authority = TlsAuthority.open(folder, Instant::now, new SecureRandom());
        gateway = new Gateway(settings, authority, threads, Instant::now);
        ports = draw();
    }

    /** Settings with room for so few connections that a test can fill it. */
    static GatewaySettings seats(int connections) {
        return new GatewaySettings(
                "localhost",
                GatewaySettings.loopback().addresses(),
                connections,
                Room.ofHeap(),
                anyLogins(),
                GatewayPages.ALL);
    }

    /** One whose services share two ports in the domain {@code s.example.org}. */
    static GatewayFixture sharing(Path folder, GatewaySettings settings) throws IOException, GeneralSecurityException {
        TlsAuthority authority = TlsAuthority.open(folder, Instant::now, new SecureRandom());
        SharedPorts ports = new SharedPorts(DOMAIN, freePort(), freePort());
        GatewayFixture fixture = new GatewayFixture(
                folder, settings.sharing(ports, new TlsLeaves(authority, List.of(ports.wildcard()))));
        fixture.shared = ports;
        fixture.gateway.openShared();
        return fixture;
    }

    private static int freePort() throws IOException {
        while (true) {
            int port = 10_000 + NEXT_PORT.getAndIncrement() % 20_000;
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                // then the next
            }
        }
    }

    SharedPorts shared() {
        return shared;
    }

    /** Serves this service by a name alone. */
    void serveNamed(UUID id, String name, GatewayBackend backend, AccessList accessList, GatewayLimits limits)
            throws IOException {
        gateway.serve(new GatewayService(id, OWNER, Map.of(), accessList, limits, backend).named(name));
    }

    /** A client that names a service in its TLS hello, and asks for a certificate of that name. */
    GatewayRawClient named(String name, int port) throws IOException, GeneralSecurityException {
        SSLSocket socket = (SSLSocket) trust().getSocketFactory()
                .createSocket(new Socket(InetAddress.ofLiteral("127.0.0.1"), port), name, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new GatewayRawClient(socket);
    }

    private Map<GatewayProtocol, Integer> draw() {
        int first = 10_000 + NEXT_PORT.getAndAdd(100) % 20_000;
        Ports.Known known = new Ports.Known(Set.of(), List.of());
        List<Integer> drawn = new GatewayPorts(
                        new GatewayPorts.Range(first, first + 99), gateway::bindable, () -> known, List.of())
                .draw();
        return Map.of(
                GatewayProtocol.HTTPS,
                drawn.get(0),
                GatewayProtocol.NATIVESECURE,
                drawn.get(1),
                GatewayProtocol.MYSQL,
                drawn.get(2));
    }

    /** Serves a service of another owner; returns where. */
    int serveOther(UUID owner, GatewayBackend backend, GatewayLimits limits) throws IOException {
        Map<GatewayProtocol, Integer> own = draw();
        gateway.serve(new GatewayService(UUID.randomUUID(), owner, own, LOOPBACK, limits, backend));
        return own.getOrDefault(GatewayProtocol.HTTPS, 0);
    }

    static GatewayLimits limits(int connections, Duration idle, Duration head) {
        return new GatewayLimits(connections, idle, idle, head, Duration.ofSeconds(10), 64 * 1024);
    }

    /** Any number of logins may fail. */
    static Guesses anyLogins() {
        return new Guesses(0, System::nanoTime, new byte[0]);
    }

    void serve(GatewayBackend backend) throws IOException {
        serve(backend, LOOPBACK, GatewayLimits.STANDARD);
    }

    void serve(GatewayBackend backend, AccessList accessList, GatewayLimits limits) throws IOException {
        gateway.serve(new GatewayService(SERVICE, OWNER, ports, accessList, limits, backend));
    }

    int port(GatewayProtocol protocol) {
        return ports.getOrDefault(protocol, 0);
    }

    GatewayTraffic traffic() {
        return gateway.traffic(SERVICE).orElseThrow();
    }

    GatewayRawClient plain() throws IOException {
        return plain(GatewayProtocol.HTTPS);
    }

    GatewayRawClient plain(GatewayProtocol protocol) throws IOException {
        return new GatewayRawClient(new Socket(InetAddress.ofLiteral("127.0.0.1"), port(protocol)));
    }

    GatewayRawClient secured(GatewayProtocol protocol, String... versions)
            throws IOException, GeneralSecurityException {
        return secured("127.0.0.1", protocol, versions);
    }

    GatewayRawClient secured(String address, GatewayProtocol protocol, String... versions)
            throws IOException, GeneralSecurityException {
        SSLSocket socket = (SSLSocket)
                Trusting.only(authority.certificate()).getSocketFactory().createSocket(address, port(protocol));
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (versions.length > 0) {
            parameters.setProtocols(versions);
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new GatewayRawClient(socket);
    }

    SSLContext trust() throws IOException, GeneralSecurityException {
        return Trusting.only(authority.certificate());
    }

    /** Waits until this many clients have connected and all of them have disconnected. */
    void awaitAllGone(int clients) {
        eventually("they have come", () -> traffic().acceptedConnections() >= clients);
        eventually("they have gone", () -> traffic().openConnections() == 0);
    }

    boolean authorityFileIsThere() {
        return Files.exists(gateway.certificateAuthorityFile());
    }

    @Override
    public void close() {
        gateway.close();
        threads.shutdownNow();
    }
}
