package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which clients wake a sleeping service, which do not, and what they see meanwhile. */
class GatewayWakeTest {
    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;
    private final GatewaySwitch backend;

    GatewayWakeTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
        backend = GatewaySwitch.asleep(database.address());
        fixture.serve(backend);
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        fixture.close();
    }

    @Test
    void firstRequestWakesAndIsThenServed() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).startsWith("HTTP/1.1 200").endsWith("Ok.\n");
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(backend.wakings()).isEqualTo(1);
    }

    @Test
    void waitingClientCountsAsAQueryInFlight() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        backend.holdWakings(hold);
        try (GatewayRawClient client = fixture.plain()) {
            client.get("/");
            eventually("the waking began", () -> backend.wakings() == 1);
            assertThat(fixture.traffic().queriesInFlight()).isEqualTo(1);
            hold.countDown();
            assertThat(client.readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void manyClientsAtOnceWakeOnce() throws ExecutionException, InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        backend.holdWakings(hold);
        List<Future<String>> answers = new ArrayList<>();
        for (int count = 0; count < 50; count++) {
            answers.add(fixture.threads.submit(() -> {
                try (GatewayRawClient client = fixture.plain()) {
                    return client.get("/").readAnswer();
                }
            }));
        }
        eventually("all of them wait", () -> fixture.traffic().queriesInFlight() == 50);
        hold.countDown();
        for (Future<String> answer : answers) {
            assertThat(answer.get()).endsWith("Ok.\n");
        }
        // One more is allowed for clients that had looked before the waking ended, and came to it after.
        assertThat(backend.wakings()).isBetween(1, 2);
    }

    @Test
    void connectionsThatSayNothingOrHalfARequestWakeNothing() throws Exception {
        try (GatewayRawClient silent = fixture.plain();
                GatewayRawClient scan = fixture.plain();
                GatewayRawClient half = fixture.plain();
                GatewayRawClient broken = fixture.plain();
                GatewayRawClient secured = fixture.secured(GatewayProtocol.HTTPS)) {
            scan.leave();
            half.say("GET / HTTP/1.1\r\nHost: h\r\n");
            assertThat(broken.say("nonsense\r\n\r\n").readToEnd()).startsWith("HTTP/1.1 400");
            broken.leave();
            secured.say("GE");
            eventually("the scan is over", () -> fixture.traffic().openConnections() == 3);
            assertThat(silent.socket().isConnected()).isTrue();
        }
        fixture.awaitAllGone(5);
        assertThat(backend.wakings()).isZero();
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void connectionsThatNeverAskAreNoActivity() throws Exception {
        Instant opened = fixture.traffic().lastActivity();
        try (GatewayRawClient half = fixture.plain()) {
            half.say("GET / HTTP/1.1\r\nHost: h\r\n");
            eventually("it is connected", () -> fixture.traffic().openConnections() == 1);
        }
        fixture.awaitAllGone(1);
        assertThat(fixture.gateway.lastActivity(GatewayFixture.SERVICE)).contains(opened);
    }

    @Test
    void failedWakingIsAnsweredWithATimeToComeBack() throws Exception {
        for (GatewayReach reach :
                List.of(new GatewayReach.Asleep(), new GatewayReach.Asleep("It waits for another database."))) {
            backend.wakesTo(reach);
            try (GatewayRawClient client = fixture.plain()) {
                String answer = client.get("/").readToEnd();
                assertThat(answer)
                        .startsWith("HTTP/1.1 503 Service Unavailable")
                        .contains("Retry-After: 5\r\n")
                        .endsWith(
                                reach.equals(new GatewayReach.Asleep())
                                        ? "The database is still starting.\n"
                                        : "It waits for another database.\n");
            }
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void wakingThatFailsSaysItsReason() throws Exception {
        backend.wakesTo(new GatewayReach.Unavailable("The service is stopped."));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readToEnd()).startsWith("HTTP/1.1 503").endsWith("The service is stopped.\n");
        }
    }

    @Test
    void stoppedServiceIsNotWoken() throws Exception {
        GatewaySwitch stopped = GatewaySwitch.always(new GatewayReach.Unavailable("The service is stopped."));
        fixture.serve(stopped);
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.say("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").readToEnd())
                    .startsWith("HTTP/1.1 503")
                    .contains("Content-Length: 24\r\n")
                    .endsWith("\r\n\r\n");
        }
        assertThat(stopped.wakings()).isZero();
    }

    @Test
    void deadDatabaseThatIsSaidToListenIsWoken() throws Exception {
        backend.is(new GatewayReach.Ready(deadAddress()));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(backend.wakings()).isEqualTo(1);
    }

    @Test
    void databaseThatIsDeadEvenAfterWakingIsUnavailable() throws Exception {
        backend.wakesTo(new GatewayReach.Ready(deadAddress()));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readToEnd()).startsWith("HTTP/1.1 503");
        }
    }

    @Test
    void connectionThatOutlivesItsDatabaseWakesItAgain() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/one").readAnswer()).endsWith("Ok.\n");
            backend.is(new GatewayReach.Asleep());
            eventually("the idle link is given up", () -> database.visits().getFirst().over);
            assertThat(client.get("/two").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(backend.wakings()).isEqualTo(2);
        assertThat(database.visits()).hasSize(2);
    }

    @Test
    void clientThatLeftDuringTheWakingSendsNothingToTheDatabase() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        backend.holdWakings(hold);
        try (GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345");
            eventually("the waking began", () -> backend.wakings() == 1);
            fixture.serve(backend, AccessList.NOBODY, GatewayLimits.STANDARD);
        }
        hold.countDown();
        fixture.awaitAllGone(1);
        assertThat(database.received()).isEmpty();
    }

    @Test
    void noClientWaitsLongerThanTheLimitForAWakingThatAnotherBegan() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        backend.holdWakings(hold);
        GatewayLimits standard = GatewayLimits.STANDARD;
        fixture.serve(
                backend,
                GatewayFixture.LOOPBACK,
                new GatewayLimits(
                        10,
                        standard.firstWords(),
                        standard.connectionIdle(),
                        standard.head(),
                        Duration.ofMillis(200),
                        10_000));
        try (GatewayRawClient first = fixture.plain();
                GatewayRawClient second = fixture.plain()) {
            first.get("/");
            eventually("the waking began", () -> backend.wakings() == 1);
            assertThat(second.get("/").readToEnd()).startsWith("HTTP/1.1 503 ");
            hold.countDown();
            assertThat(first.readAnswer()).endsWith("Ok.\n");
        }
        assertThat(backend.wakings()).isEqualTo(1);
    }

    @Test
    void wakingThatThrowsIsTheSameAsOneThatFails() throws Exception {
        fixture.serve(new GatewayBackend() {
            @Override
            public GatewayReach reach(GatewayProtocol protocol) {
                return new GatewayReach.Asleep();
            }

            @Override
            public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) {
                throw new IllegalStateException("a bug of the plane");
            }
        });
        try (GatewayRawClient client = fixture.plain()) {
            String answer = client.get("/").readToEnd();
            assertThat(answer).startsWith("HTTP/1.1 503").doesNotContain("a bug of the plane");
        }
    }

    private static InetSocketAddress deadAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
    }
}
