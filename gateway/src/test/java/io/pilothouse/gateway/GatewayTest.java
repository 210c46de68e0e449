package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.tls.TlsAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services come, change and go while the gateway stays. */
class GatewayTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    GatewayTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
        database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            String head = visit.readHead();
            if (head.startsWith("GET /slow")) {
                eventually("it may answer", () -> mayAnswer.getCount() == 0);
            }
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nOk.\n");
            GatewayRecordingDatabase.answerEach(visit);
        });
    }

    @AfterEach
    void close() throws IOException {
        mayAnswer.countDown();
        database.close();
        fixture.close();
    }

    @Test
    void servingTheSameTwiceChangesNothing() throws Exception {
        serve();
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
            serve();
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void protocolThatIsSwitchedOffIsClosedAndComesBackOnItsPort() throws Exception {
        serve();
        Map<GatewayProtocol, Integer> without = new EnumMap<>(fixture.ports);
        without.remove(GatewayProtocol.MYSQL);
        try (GatewayRawClient connected = fixture.plain(GatewayProtocol.NATIVESECURE);
                GatewayRawClient mysql = fixture.plain(GatewayProtocol.HTTPS)) {
            eventually("both are in", () -> fixture.traffic().openConnections() == 2);
            serve(without);
            assertThatIOException().isThrownBy(() -> fixture.plain(GatewayProtocol.MYSQL));
            assertThat(mysql.get("/").readAnswer()).endsWith("Ok.\n");
            without.remove(GatewayProtocol.NATIVESECURE);
            serve(without);
            assertThat(connected.endsWithoutAByte()).isTrue();
        }
        serve();
        fixture.plain(GatewayProtocol.MYSQL).close();
    }

    @Test
    void portThatAnotherProgramTookIsAFailureAndTheOthersAreServed() throws Exception {
        serve();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Map<GatewayProtocol, Integer> ports = new EnumMap<>(fixture.ports);
            ports.put(GatewayProtocol.MYSQL, other.getLocalPort());
            assertThat(fixture.gateway.bindable(other.getLocalPort())).isFalse();
            assertThatIOException()
                    .isThrownBy(() -> serve(ports))
                    .withMessageStartingWith("The gateway cannot listen on 127.0.0.1, port " + other.getLocalPort());
            try (GatewayRawClient client = fixture.plain()) {
                assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
            }
        }
        serve();
    }

    @Test
    void addressThatThisMachineDoesNotHaveLeavesNothingHalfOpen(@TempDir Path other) throws Exception {
        InetAddress elsewhere = InetAddress.ofLiteral("192.0.2.1");
        GatewaySettings settings = new GatewaySettings(
                "localhost",
                List.of(InetAddress.ofLiteral("127.0.0.1"), elsewhere),
                10,
                Room.ofHeap(),
                GatewayFixture.anyLogins(),
                GatewayPages.ALL);
        TlsAuthority authority = TlsAuthority.open(other, Instant::now, new SecureRandom());
        try (Gateway gateway = new Gateway(settings, authority, fixture.threads, Instant::now)) {
            Map<GatewayProtocol, Integer> port = Map.of(GatewayProtocol.HTTPS, fixture.port(GatewayProtocol.HTTPS));
            assertThatIOException()
                    .isThrownBy(() -> gateway.serve(new GatewayService(
                            GatewayFixture.SERVICE,
                            GatewayFixture.OWNER,
                            port,
                            GatewayFixture.LOOPBACK,
                            GatewayLimits.STANDARD,
                            GatewaySwitch.awake(database.address()))))
                    .withMessageStartingWith("The gateway cannot listen on 192.0.2.1");
            assertThat(fixture.gateway.bindable(fixture.port(GatewayProtocol.HTTPS)))
                    .isTrue();
        }
    }

    @Test
    void activityIsNowWhileAQueryIsInFlightAndThenStands() throws Exception {
        serve();
        try (GatewayRawClient client = fixture.plain()) {
            client.get("/slow");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            Instant before = Instant.now();
            assertThat(fixture.gateway.lastActivity(GatewayFixture.SERVICE).orElseThrow())
                    .isAfterOrEqualTo(before);
            mayAnswer.countDown();
            assertThat(client.readAnswer()).endsWith("Ok.\n");
            eventually("it has ended", () -> fixture.traffic().queriesInFlight() == 0);
            Instant ended = fixture.traffic().lastActivity();
            assertThat(fixture.traffic().lastActivity()).isEqualTo(ended).isAfterOrEqualTo(before);
            assertThat(fixture.gateway.openConnections(GatewayFixture.SERVICE)).isEqualTo(1);
        }
    }

    @Test
    void unknownServiceHasNoTraffic() throws InterruptedException {
        UUID unknown = new UUID(0, 0);
        assertThat(fixture.gateway.traffic(unknown)).isEmpty();
        assertThat(fixture.gateway.lastActivity(unknown)).isEmpty();
        assertThat(fixture.gateway.openConnections(unknown)).isZero();
        fixture.gateway.withdraw(unknown, LONG);
    }

    @Test
    void withdrawnServiceFinishesRequestsInFlightAndIsGone()
            throws ExecutionException, IOException, InterruptedException {
        serve();
        try (GatewayRawClient busy = fixture.plain();
                GatewayRawClient idle = fixture.plain()) {
            busy.get("/slow");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            Future<?> withdrawn = withdraw(LONG);
            assertThat(idle.endsWithoutAByte()).isTrue();
            assertThatIOException().isThrownBy(fixture::plain);
            mayAnswer.countDown();
            assertThat(busy.readToEnd()).endsWith("Ok.\n");
            busy.leave();
            withdrawn.get();
            assertThat(fixture.gateway.traffic(GatewayFixture.SERVICE)).isEmpty();
        }
        assertThat(fixture.gateway.bindable(fixture.port(GatewayProtocol.HTTPS)))
                .isTrue();
    }

    @Test
    void withdrawalEndsWithItsDeadlineWhateverIsInFlight()
            throws ExecutionException, IOException, InterruptedException {
        serve();
        try (GatewayRawClient busy = fixture.plain()) {
            busy.get("/slow");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            withdraw(Duration.ofMillis(50)).get();
            assertThat(busy.endsWithoutAByte()).isTrue();
        }
    }

    @Test
    void closedGatewayFinishesRequestsInFlightAndTakesNoMore()
            throws ExecutionException, IOException, InterruptedException {
        serve();
        try (GatewayRawClient busy = fixture.plain()) {
            busy.get("/slow");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            Future<?> closed = fixture.threads.submit(() -> {
                fixture.gateway.close(LONG);
                return true;
            });
            eventually("no client is let in", () -> fixture.gateway.bindable(fixture.port(GatewayProtocol.HTTPS)));
            mayAnswer.countDown();
            assertThat(busy.readToEnd()).endsWith("Ok.\n");
            busy.leave();
            closed.get();
            assertThatIOException().isThrownBy(this::serve).withMessage("The gateway is closing.");
        }
    }

    @Test
    void certificateHoldsForALongTime() {
        assertThat(fixture.gateway.certificateEndsAt()).isAfter(Instant.now().plus(Duration.ofDays(80)));
        assertThat(fixture.gateway.certificateAuthorityFile()).hasFileName("ca.crt");
    }

    private Future<?> withdraw(Duration atMost) {
        return fixture.threads.submit(() -> {
            fixture.gateway.withdraw(GatewayFixture.SERVICE, atMost);
            return true;
        });
    }

    private void serve() throws IOException {
        serve(fixture.ports);
    }

    private void serve(Map<GatewayProtocol, Integer> ports) throws IOException {
        fixture.gateway.serve(new GatewayService(
                GatewayFixture.SERVICE,
                GatewayFixture.OWNER,
                ports,
                GatewayFixture.LOOPBACK,
                GatewayLimits.STANDARD,
                GatewaySwitch.awake(database.address())));
    }
}
