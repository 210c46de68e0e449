package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a service's clients may take, and that more does no harm to others. */
class GatewayLimitsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;

    GatewayLimitsTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        GatewaySettings settings = new GatewaySettings(
                "localhost",
                GatewaySettings.loopback().addresses(),
                800,
                new Room(128 * 1024),
                GatewayFixture.anyLogins(),
                GatewayPages.ALL);
        fixture = new GatewayFixture(folder, settings);
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        fixture.close();
    }

    @Test
    void clientBeyondTheLimitIsRefusedAndOthersGoOn() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (GatewayRecordingDatabase slow = answeringAfter(goOn)) {
            fixture.serve(
                    GatewaySwitch.awake(slow.address()), GatewayFixture.LOOPBACK, GatewayFixture.limits(2, LONG, LONG));
            try (GatewayRawClient one = fixture.plain().get("/");
                    GatewayRawClient two = fixture.plain().get("/")) {
                eventually("both are served", () -> fixture.traffic().queriesInFlight() == 2);
                try (GatewayRawClient plain = fixture.plain();
                        GatewayRawClient secured = fixture.secured(GatewayProtocol.HTTPS)) {
                    for (GatewayRawClient third : List.of(plain, secured)) {
                        assertThat(third.get("/").readToEnd())
                                .startsWith("HTTP/1.1 503 ")
                                .contains("Retry-After: 5\r\n")
                                .endsWith("This service has too many connections.\n");
                    }
                }
                goOn.countDown();
                assertThat(one.readAnswer()).endsWith("Ok.\n");
                assertThat(two.readAnswer()).endsWith("Ok.\n");
            }
            eventually("there is room again", () -> fixture.traffic().openConnections() == 0);
            try (GatewayRawClient next = fixture.plain()) {
                assertThat(next.get("/").readAnswer()).endsWith("Ok.\n");
            }
        }
    }

    @Test
    void crowdBeyondTheLimitFindsTheDoorClosed() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        List<GatewayRawClient> crowd = new ArrayList<>();
        try (GatewayRecordingDatabase slow = answeringAfter(goOn)) {
            fixture.serve(
                    GatewaySwitch.awake(slow.address()), GatewayFixture.LOOPBACK, GatewayFixture.limits(1, LONG, LONG));
            crowd.add(fixture.plain().get("/"));
            eventually("it is served", () -> fixture.traffic().queriesInFlight() == 1);
            for (int count = 1; count < 80; count++) {
                crowd.add(fixture.plain());
            }
            eventually("the rest was turned away", () -> fixture.traffic().refusedConnections() == 79);
            assertThat(fixture.traffic().openConnections()).isEqualTo(65);
            assertThat(crowd.getLast().endsWithoutAByte()).isTrue();
            goOn.countDown();
            assertThat(crowd.getFirst().readAnswer()).endsWith("Ok.\n");
        } finally {
            for (GatewayRawClient each : crowd) {
                each.close();
            }
        }
    }

    private GatewayRecordingDatabase answeringAfter(CountDownLatch goOn) throws IOException {
        return new GatewayRecordingDatabase(fixture.threads, visit -> {
            String head = visit.readHead();
            eventually("it may go on", () -> goOn.getCount() == 0);
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nOk.\n");
            if (!head.isEmpty()) {
                GatewayRecordingDatabase.answerEach(visit);
            }
        });
    }

    @Test
    void fiveHundredIdleConnectionsCostNoThreadAndDelayNoClient() throws Exception {
        serve(GatewayFixture.limits(1_000, LONG, LONG));
        List<GatewayRawClient> idle = new ArrayList<>();
        try {
            try (GatewayRawClient first = fixture.plain()) {
                assertThat(first.get("/").readAnswer()).endsWith("Ok.\n");
            }
            int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
            for (int count = 0; count < 500; count++) {
                GatewayRawClient client = fixture.plain();
                idle.add(client);
                if (count % 2 == 0) {
                    assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
                }
            }
            eventually("all are connected", () -> fixture.traffic().openConnections() >= 500);
            assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threadsBefore + 20);
            for (int count = 0; count < 20; count++) {
                try (GatewayRawClient client = fixture.secured(GatewayProtocol.HTTPS)) {
                    assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
                }
            }
            eventually(
                    "idle links to the database are given up",
                    () -> database.visits().stream().allMatch(visit -> visit.over));
        } finally {
            for (GatewayRawClient each : idle) {
                each.close();
            }
        }
    }

    @Test
    void silentConnectionsMakeRoomForNewerOnes() throws Exception {
        serve(GatewayFixture.limits(10_000, LONG, LONG));
        List<GatewayRawClient> crowd = new ArrayList<>();
        try {
            for (int count = 0; count < 601; count++) {
                crowd.add(fixture.plain());
            }
            eventually("one was given up", () -> fixture.traffic().refusedConnections() == 1);
            assertThat(crowd.getFirst().endsWithoutAByte()).isTrue();
            assertThat(crowd.getLast().get("/").readAnswer()).endsWith("Ok.\n");
            eventually("it is gone", () -> fixture.traffic().openConnections() == 600);
        } finally {
            for (GatewayRawClient each : crowd) {
                each.close();
            }
        }
    }

    @Test
    void clientThatSaysNothingIsNotWaitedForAsLongAsOneThatWasServed() throws Exception {
        Duration soon = Duration.ofMillis(500);
        GatewayLimits usual = GatewayLimits.STANDARD;
        serve(new GatewayLimits(10, soon, LONG, LONG, LONG, usual.headBytes()));
        try (GatewayRawClient silent = fixture.plain();
                GatewayRawClient greeted = fixture.secured(GatewayProtocol.HTTPS);
                GatewayRawClient greetedToo = fixture.secured(GatewayProtocol.NATIVESECURE);
                GatewayRawClient mysql = fixture.plain(GatewayProtocol.MYSQL);
                GatewayRawClient served = fixture.plain()) {
            assertThat(served.get("/").readAnswer()).endsWith("Ok.\n");
            for (GatewayRawClient each : List.of(silent, greeted, greetedToo, mysql)) {
                assertThat(each.endsWithoutAByte()).isTrue();
            }
            assertThat(served.get("/").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(usual.firstWords()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void connectionWithoutAWordIsClosedInTime() throws Exception {
        serve(GatewayFixture.limits(10, Duration.ofSeconds(2), LONG));
        try (GatewayRawClient silent = fixture.plain();
                GatewayRawClient served = fixture.plain()) {
            assertThat(served.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(silent.endsWithoutAByte()).isTrue();
            assertThat(served.endsWithoutAByte()).isTrue();
        }
    }

    @Test
    void queryInFlightIsNoIdleness() throws Exception {
        CountDownLatch clientHasWaited = new CountDownLatch(1);
        try (GatewayRecordingDatabase slow = new GatewayRecordingDatabase(fixture.threads, visit -> {
                    visit.readHead();
                    eventually("the clients have waited", () -> clientHasWaited.getCount() == 0);
                    visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
                    GatewayRecordingDatabase.answerEach(visit);
                });
                GatewayRawClient idle = served(slow, Duration.ofSeconds(2));
                GatewayRawClient secured = fixture.secured(GatewayProtocol.HTTPS);
                GatewayRawClient plain = fixture.plain()) {
            plain.get("/");
            secured.get("/");
            assertThat(idle.endsWithoutAByte()).isTrue();
            try (GatewayRawClient idleToo = fixture.plain()) {
                assertThat(idleToo.endsWithoutAByte()).isTrue();
            }
            assertThat(fixture.traffic().queriesInFlight()).isEqualTo(2);
            clientHasWaited.countDown();
            for (GatewayRawClient busy : List.of(plain, secured)) {
                assertThat(busy.readAnswer()).endsWith("late");
                assertThat(busy.get("/next").readAnswer()).endsWith("Ok.\n");
            }
        }
    }

    @Test
    void clientThatDoesNotReadIsGivenUpInTime() throws Exception {
        try (GatewayRecordingDatabase endless = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            visit.say("HTTP/1.1 200 OK\r\n\r\n");
            byte[] piece = new byte[1 << 20];
            while (!visit.broken) {
                visit.say(piece);
            }
        })) {
            fixture.serve(
                    GatewaySwitch.awake(endless.address()),
                    GatewayFixture.LOOPBACK,
                    GatewayFixture.limits(10, Duration.ofSeconds(2), LONG));
            try (GatewayRawClient client = fixture.plain()) {
                client.get("/");
                fixture.awaitAllGone(1);
            }
            eventually("the database saw the end", () -> endless.visits().getFirst().over);
        }
    }

    @Test
    void longHeadsShareABoundedRoom() throws Exception {
        serve(GatewayFixture.limits(10, LONG, LONG));
        String half = "GET /" + "x".repeat(60_000);
        try (GatewayRawClient first = fixture.plain();
                GatewayRawClient second = fixture.plain()) {
            first.say(half);
            eventually("the first fills the room", () -> fixture.traffic().bytesReceived() == half.length());
            assertThat(second.say(half).readToEnd()).startsWith("HTTP/1.1 503 ");
            assertThat(first.say(" HTTP/1.1\r\nHost: h\r\n\r\n").readAnswer()).endsWith("Ok.\n");
            try (GatewayRawClient third = fixture.plain()) {
                assertThat(third.say(half).say(" HTTP/1.1\r\nHost: h\r\n\r\n").readAnswer())
                        .endsWith("Ok.\n");
            }
        }
    }

    @Test
    void limitOfZeroIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> GatewayFixture.limits(0, LONG, LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> GatewayFixture.limits(1, Duration.ZERO, LONG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GatewaySettings(
                        "localhost", List.of(), 1, Room.ofHeap(), GatewayFixture.anyLogins(), GatewayPages.ALL));
    }

    private void serve(GatewayLimits limits) throws IOException {
        fixture.serve(GatewaySwitch.awake(database.address()), GatewayFixture.LOOPBACK, limits);
    }

    private GatewayRawClient served(GatewayRecordingDatabase by, Duration idle) throws IOException {
        fixture.serve(
                GatewaySwitch.awake(by.address()), GatewayFixture.LOOPBACK, GatewayFixture.limits(10, idle, LONG));
        return fixture.plain();
    }
}
