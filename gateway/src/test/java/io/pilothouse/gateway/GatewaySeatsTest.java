package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One owner's clients never take the gateway away from another's. */
class GatewaySeatsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final UUID OTHER = UUID.fromString("0191d3a2-0000-7000-8000-0000000000bb");
    private static final int SEATS = 8;

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;
    private final List<GatewayRawClient> crowd = new ArrayList<>();

    GatewaySeatsTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder, GatewayFixture.seats(SEATS));
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
    }

    @AfterEach
    void close() throws IOException {
        for (GatewayRawClient each : crowd) {
            each.close();
        }
        database.close();
        fixture.close();
    }

    @Test
    void silentConnectionsToOneServiceLeaveRoomForAnother() throws Exception {
        GatewayBackend backend = GatewaySwitch.awake(database.address());
        fixture.serve(backend, GatewayFixture.LOOPBACK, GatewayFixture.limits(1_000, LONG, LONG));
        int other = fixture.serveOther(OTHER, backend, GatewayFixture.limits(1_000, LONG, LONG));
        for (int count = 0; count < 60; count++) {
            crowd.add(fixture.plain());
        }
        eventually("all were let in", () -> fixture.traffic().acceptedConnections() == 60);
        try (GatewayRawClient same = fixture.plain();
                GatewayRawClient client = client("127.0.0.1", other);
                GatewayRawClient elsewhere = client("127.0.0.2", other)) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(elsewhere.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(same.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void queriesOfOneOwnerNeverTakeAllSeats() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (GatewayRecordingDatabase slow = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            eventually("it may go on", () -> goOn.getCount() == 0);
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nOk.\n");
        })) {
            fixture.serve(
                    GatewaySwitch.awake(slow.address()),
                    GatewayFixture.LOOPBACK,
                    GatewayFixture.limits(1_000, LONG, LONG));
            int same = fixture.serveOther(
                    GatewayFixture.OWNER,
                    GatewaySwitch.awake(slow.address()),
                    GatewayFixture.limits(1_000, LONG, LONG));
            int other = fixture.serveOther(
                    OTHER, GatewaySwitch.awake(database.address()), GatewayFixture.limits(1_000, LONG, LONG));
            for (int count = 0; count < 3; count++) {
                crowd.add(
                        client("127.0.0.1", fixture.port(GatewayProtocol.HTTPS)).get("/"));
                crowd.add(client("127.0.0.3", same).get("/"));
            }
            eventually("all are served", () -> slow.visits().size() == 6);
            try (GatewayRawClient oneMore = client("127.0.0.4", same);
                    GatewayRawClient client = client("127.0.0.2", other)) {
                assertThat(oneMore.endsWithoutAByte()).isTrue();
                assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
            }
            goOn.countDown();
            for (GatewayRawClient each : crowd) {
                assertThat(each.readAnswer()).endsWith("Ok.\n");
            }
        }
    }

    private static GatewayRawClient client(String from, int port) throws IOException {
        return new GatewayRawClient(
                new Socket(InetAddress.ofLiteral("127.0.0.1"), port, InetAddress.ofLiteral(from), 0));
    }
}
