package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who comes in, on a port that listens for both families. */
class GatewayAccessTest {
    private static final AccessList IPV4_LOOPBACK = AccessList.of(List.of("127.0.0.0/8"));
    private static final AccessList IPV6_LOOPBACK = AccessList.of(List.of("::1"));

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;
    private final GatewaySwitch backend;

    GatewayAccessTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        GatewaySettings everywhere = new GatewaySettings(
                "localhost",
                List.of(InetAddress.ofLiteral("::")),
                1_000,
                Room.ofHeap(),
                GatewayFixture.anyLogins(),
                GatewayPages.ALL);
        fixture = new GatewayFixture(folder, everywhere);
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
        backend = GatewaySwitch.awake(database.address());
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        fixture.close();
    }

    @Test
    void emptyListLetsNoClientInAndNoByteReachesTheDatabase() throws Exception {
        fixture.serve(backend, AccessList.NOBODY, GatewayLimits.STANDARD);
        for (String address : List.of("127.0.0.1", "::1")) {
            try (GatewayRawClient client = from(address)) {
                assertThat(client.endsWithoutAByte()).isTrue();
            }
        }
        eventually("both were counted", () -> fixture.traffic().refusedConnections() == 2);
        assertThat(database.visits()).isEmpty();
        assertThat(fixture.traffic().bytesReceived()).isZero();
    }

    @Test
    void ipv4PeerOfAPortForBothFamiliesIsJudgedAsIpv4() throws Exception {
        fixture.serve(backend, IPV4_LOOPBACK, GatewayLimits.STANDARD);
        assertThat(isServed("127.0.0.1")).isTrue();
        assertThat(isServed("::1")).isFalse();
        fixture.serve(backend, AccessList.of(List.of("::ffff:127.0.0.1")), GatewayLimits.STANDARD);
        assertThat(isServed("127.0.0.1")).isTrue();
        fixture.serve(backend, AccessList.of(List.of("::/0")), GatewayLimits.STANDARD);
        assertThat(isServed("127.0.0.1")).isFalse();
    }

    @Test
    void ipv6PeerIsJudgedAsIpv6() throws Exception {
        fixture.serve(backend, IPV6_LOOPBACK, GatewayLimits.STANDARD);
        assertThat(isServed("::1")).isTrue();
        assertThat(isServed("127.0.0.1")).isFalse();
    }

    @Test
    void changedListEndsExactlyTheConnectionsItNoLongerAllows() throws Exception {
        fixture.serve(backend, AccessList.of(List.of("127.0.0.1", "::1")), GatewayLimits.STANDARD);
        try (GatewayRawClient ipv4 = fixture.secured("127.0.0.1", GatewayProtocol.HTTPS);
                GatewayRawClient ipv6 = fixture.secured("::1", GatewayProtocol.HTTPS)) {
            assertThat(ipv4.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(ipv6.get("/").readAnswer()).endsWith("Ok.\n");
            fixture.serve(backend, IPV6_LOOPBACK, GatewayLimits.STANDARD);
            assertThat(ipv4.endsWithoutAByte()).isTrue();
            eventually("one is left", () -> fixture.traffic().openConnections() == 1);
            assertThat(ipv6.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(isServed("127.0.0.1")).isFalse();
        }
    }

    @Test
    void changedListEndsAQueryInFlight() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        try (GatewayRecordingDatabase busy = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst");
            eventually("the test is over", () -> hold.getCount() == 0);
        })) {
            fixture.serve(GatewaySwitch.awake(busy.address()), IPV6_LOOPBACK, GatewayLimits.STANDARD);
            try (GatewayRawClient client = fixture.secured("::1", GatewayProtocol.HTTPS)) {
                client.get("/");
                assertThat(client.readHead()).contains("Content-Length: 100");
                assertThat(client.read(5)).isEqualTo("first".getBytes(StandardCharsets.US_ASCII));
                fixture.serve(GatewaySwitch.awake(busy.address()), IPV4_LOOPBACK, GatewayLimits.STANDARD);
                assertThat(client.endsWithoutAByte()).isTrue();
            }
            eventually("the database saw the half-close", () -> endOfInput(busy));
            hold.countDown();
            fixture.awaitAllGone(1);
        }
    }

    @Test
    void plainHttpIsRefusedWhereOthersCouldListen() throws Exception {
        fixture.serve(backend, IPV4_LOOPBACK, GatewayLimits.STANDARD);
        try (GatewayRawClient client = from("127.0.0.1")) {
            assertThat(client.get("/").readToEnd())
                    .startsWith("HTTP/1.1 400 ")
                    .endsWith("This port speaks HTTPS; plain HTTP is only for this machine itself.\n");
        }
        assertThat(database.visits()).isEmpty();
    }

    private static boolean endOfInput(GatewayRecordingDatabase database) {
        try {
            return database.visits().getFirst().readByte() < 0;
        } catch (IOException gone) {
            return false;
        }
    }

    private boolean isServed(String address) throws GeneralSecurityException {
        try (GatewayRawClient client = fixture.secured(address, GatewayProtocol.HTTPS)) {
            return client.get("/").readAnswer().endsWith("Ok.\n");
        } catch (IOException turnedAway) {
            return false;
        }
    }

    private GatewayRawClient from(String address) throws IOException {
        return new GatewayRawClient(new Socket(InetAddress.ofLiteral(address), fixture.port(GatewayProtocol.HTTPS)));
    }
}
