package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.gateway.AccessList;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewayBackend;
import io.pilothouse.gateway.GatewayLimits;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.GatewayService;
import io.pilothouse.gateway.GatewaySettings;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.testkit.HttpStreams;
import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of nearly right HTTP against a real database behind the gateway, with and without its password. */
class HostileStreamsIT {
    private static final int STREAMS = Walk.length(400, 20_000);
    private static final int HANGS_AFTER_MILLIS = 120_000;
    private static final String PASSWORD = "correct horse battery staple";
    private static final String LOGIN = "X-ClickHouse-User: default\r\nX-ClickHouse-Key: " + PASSWORD + "\r\n";
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

    @TempDir
    private Path folder;

    private final UUID service = UUID.randomUUID();

    /** The threads of the gateway that have begun and not ended. */
    private final AtomicInteger threads = new AtomicInteger();

    /** A database that is always awake. */
    private record Awake(GatewayReach where) implements GatewayBackend {
        @Override
        public GatewayReach reach(GatewayProtocol protocol) {
            return where;
        }

        @Override
        public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) {
            return where;
        }
    }

    @Test
    void noDatabaseDiesNoConnectionHangsAndNothingIsLeft()
            throws DatabaseFailure, PlaneFault, IOException, GeneralSecurityException, InterruptedException {
        ClickHouse.Bundled clickhouse = LiveDatabase.require();
        GatewaySettings doors = GatewaySettings.loopback();
        Walk walk = Walk.begin(HostileStreamsIT.class);
        try (LocalDatabases databases =
                        new LocalDatabases(LiveDatabase.setup(clickhouse, folder.resolve("services"), false));
                ExecutorService executor = Executors.newThreadPerTaskExecutor(
                        task -> Thread.ofVirtual().unstarted(() -> counted(task)));
                Gateway gateway = new Gateway(
                        doors,
                        TlsAuthority.open(folder.resolve("tls"), Instant::now, new SecureRandom()),
                        executor,
                        Instant::now)) {
            DatabaseAddress address = started(databases, service, settings(PASSWORD));
            long pid = pid(databases);
            int port = serve(gateway, address);
            byte[] sound = ("GET /?query=SELECT+1 HTTP/1.1\r\nHost: h\r\n" + LOGIN + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            assertThat(answer(port, sound)).contains(" 200 ");
            LiveDatabase.await(() -> gateway.openConnections(service) == 0);
            int before = threads.get();
            HttpStreams known = new HttpStreams(walk.random(0), LOGIN);
            HttpStreams unknown = new HttpStreams(walk.random(1));
            int answered = 0;
            for (int number = 0; number < STREAMS; number++) {
                byte[] stream = number % 4 == 0 ? unknown.requests() : known.requests();
                answered += answer(port, stream).contains(" 200 ") ? 1 : 0;
            }
            assertThat(answered)
                    .as("streams of which the database did something")
                    .isGreaterThan(STREAMS / 20);
            LiveDatabase.await(() -> gateway.openConnections(service) == 0);
            LiveDatabase.await(() -> doors.room().taken() == 0);
            LiveDatabase.await(() -> threads.get() <= before);
            assertThat(gateway.traffic(service).orElseThrow().queriesInFlight()).isZero();
            assertThat(pid(databases)).as("the database is the same process").isEqualTo(pid);
            awaitNothingButThisQuestion(address);
        }
    }

    private void counted(Runnable task) {
        threads.incrementAndGet();
        try {
            task.run();
        } finally {
            threads.decrementAndGet();
        }
    }

    private long pid(LocalDatabases databases) throws IOException {
        return ProcessMark.parse(databases.folder(service).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }

    private int serve(Gateway gateway, DatabaseAddress address) throws IOException {
        int port;
        try (ServerSocket probe = new ServerSocket(0, 1, HERE)) {
            port = probe.getLocalPort();
        }
        gateway.serve(new GatewayService(
                service,
                UUID.randomUUID(),
                Map.of(GatewayProtocol.HTTPS, port),
                AccessList.of(List.of("127.0.0.0/8")),
                GatewayLimits.STANDARD,
                new Awake(new GatewayReach.Ready(new InetSocketAddress(HERE, address.http())))));
        return port;
    }

    /** What comes until the other side ends the connection, from a client that ends its own side behind its stream. */
    private static String answer(int port, byte[] stream) throws IOException {
        try (Socket socket = new Socket(HERE, port)) {
            socket.setSoTimeout(HANGS_AFTER_MILLIS);
            try {
                OutputStream out = socket.getOutputStream();
                out.write(stream);
                socket.shutdownOutput();
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketTimeoutException hangs) {
                throw new AssertionError(
                        "A connection hangs after " + HexFormat.of().formatHex(stream), hangs);
            } catch (SocketException ended) {
                // The other side has ended it while some of the stream was still to come.
                return "";
            }
        }
    }

    /** No query is left but the one by which the database notices the end of the program, and no other connection. */
    private static void awaitNothingButThisQuestion(DatabaseAddress address) throws IOException, InterruptedException {
        String left =
                "SELECT groupArray(query), (SELECT sum(value) FROM system.metrics WHERE metric = 'HTTPConnection')"
                        + " FROM system.processes WHERE query NOT LIKE '%system.processes%' AND query NOT LIKE '%/dev/fd/0%'";
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        String seen = value(address, PASSWORD, left);
        while (!seen.equals("[]\t1")) {
            assertThat(System.nanoTime())
                    .as("queries and connections that are left: " + seen)
                    .isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            seen = value(address, PASSWORD, left);
        }
    }
}
