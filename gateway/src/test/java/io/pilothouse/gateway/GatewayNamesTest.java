package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that share two ports are told apart by the name in the TLS hello, and by nothing else. */
class GatewayNamesTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final String NAME = "one." + GatewayFixture.DOMAIN;
    private static final String OTHER_NAME = "other." + GatewayFixture.DOMAIN;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;
    private final GatewayRecordingDatabase otherDatabase;

    GatewayNamesTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = GatewayFixture.sharing(folder, GatewaySettings.loopback());
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
        otherDatabase = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
        serve(ONE, NAME, GatewaySwitch.awake(database.address()));
        serve(OTHER, OTHER_NAME, GatewaySwitch.awake(otherDatabase.address()));
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        database.close();
        otherDatabase.close();
    }

    @Test
    void twoServicesAtOnePortAreToldApartByName() throws Exception {
        try (GatewayRawClient client = https(NAME);
                GatewayRawClient other = https(OTHER_NAME.toUpperCase(Locale.ROOT))) {
            assertThat(client.get("/?one").readAnswer()).endsWith("Ok.\n");
            assertThat(other.get("/?other").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(database.received()).contains("/?one").doesNotContain("/?other");
        assertThat(otherDatabase.received()).contains("/?other").doesNotContain("/?one");
    }

    @Test
    void nativeClientsAreToldApartToo() throws Exception {
        try (GatewayRecordingDatabase talks = new GatewayRecordingDatabase(fixture.threads, visit -> {
                    visit.readByte();
                    visit.say("hello");
                    visit.readToEnd();
                });
                GatewayRawClient client = client(NAME, fixture.shared().nativesecure())) {
            serve(ONE, NAME, GatewaySwitch.awake(talks.address()));
            assertThat(client.say("x").read(5)).asString().isEqualTo("hello");
        }
        assertThat(otherDatabase.visits()).isEmpty();
    }

    @Test
    void whoNamesNoServiceHearsTheSameAsWhoIsKeptOutOfOneAndNoDatabaseHearsAByte() throws Exception {
        GatewaySwitch asleep = GatewaySwitch.asleep(database.address());
        fixture.serveNamed(ONE, NAME, asleep, AccessList.of(List.of()), GatewayLimits.STANDARD);
        assertThat(answerTo("nobody." + GatewayFixture.DOMAIN)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(answerTo(GatewayFixture.DOMAIN)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(answerTo("deeper." + OTHER_NAME)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(answerTo(null)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(answerTo(NAME)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(asleep.wakings()).isZero();
        assertThat(database.visits()).isEmpty();
        assertThat(otherDatabase.visits()).isEmpty();
    }

    @Test
    void nameLeadsNowhereOnceItsServiceIsGone() throws Exception {
        fixture.gateway.withdraw(ONE, Duration.ZERO);
        assertThat(answerTo(NAME)).isEqualTo(UNRECOGNIZED_NAME);
        serve(ONE, NAME, GatewaySwitch.awake(database.address()));
        try (GatewayRawClient client = https(NAME)) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void noServiceIsGivenTheNameOfAnother() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> serve(new UUID(0, 3), NAME, GatewaySwitch.awake(otherDatabase.address())))
                .withMessageContaining(NAME);
    }

    @Test
    void requestForAnotherHostOfTheDomainDoesNotCrossOver() throws Exception {
        for (String host : List.of(OTHER_NAME, OTHER_NAME + ":8443", OTHER_NAME + ".", "nobody.s.example.org")) {
            try (GatewayRawClient client = https(NAME)) {
                client.say("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                assertThat(client.readToEnd()).startsWith("HTTP/1.1 421 Misdirected Request");
            }
        }
        assertThat(database.received()).isEmpty();
        assertThat(otherDatabase.received()).isEmpty();
        for (String host : List.of(NAME, "ONE.S.example.org:8443", NAME + ".", "localhost", "[::1]:1", "")) {
            try (GatewayRawClient client = https(NAME)) {
                client.say("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                assertThat(client.readAnswer()).endsWith("Ok.\n");
            }
        }
        assertThat(otherDatabase.received()).isEmpty();
    }

    @Test
    void narrowedListEndsConnectionsOfThatNameAlone() throws Exception {
        try (GatewayRawClient client = https(NAME);
                GatewayRawClient other = https(OTHER_NAME)) {
            client.get("/").readAnswer();
            other.get("/").readAnswer();
            fixture.serveNamed(
                    ONE,
                    NAME,
                    GatewaySwitch.awake(database.address()),
                    AccessList.of(List.of("192.0.2.0/24")),
                    GatewayLimits.STANDARD);
            assertThat(client.endsWithoutAByte()).isTrue();
            assertThat(other.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void eachServiceHasItsOwnSeats() throws Exception {
        fixture.serveNamed(
                ONE,
                NAME,
                GatewaySwitch.awake(database.address()),
                GatewayFixture.LOOPBACK,
                GatewayFixture.limits(1, LONG, LONG));
        try (GatewayRawClient client = client(NAME, fixture.shared().nativesecure())) {
            client.say("x");
            eventually("it is served", () -> !database.received().isEmpty());
            try (GatewayRawClient tooMany = https(NAME);
                    GatewayRawClient other = https(OTHER_NAME)) {
                assertThat(tooMany.get("/").readAnswer()).contains("503", "too many connections");
                assertThat(other.get("/").readAnswer()).endsWith("Ok.\n");
            }
        }
    }

    @Test
    void sleepingServiceIsWokenByARequestAndNotByAHello() throws Exception {
        GatewaySwitch asleep = GatewaySwitch.asleep(database.address());
        serve(ONE, NAME, asleep);
        try (GatewayRawClient client = https(NAME)) {
            assertThat(asleep.wakings()).isZero();
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(asleep.wakings()).isOne();
        }
    }

    @Test
    void helloMayComeInAnyNumberOfPieces() throws Exception {
        byte[] hello = hello(NAME);
        try (GatewayRawClient client = raw()) {
            for (byte each : hello) {
                client.say(new byte[] {each});
            }
            assertThat(client.read()).as("the type of a record of a handshake").isEqualTo(22);
        }
    }

    @Test
    void plainTextHearsWhatThePortSpeaksAndNothingOfAnyService() throws Exception {
        try (GatewayRawClient client = raw()) {
            client.say("GET / HTTP/1.1\r\nHost: " + NAME + "\r\n\r\n").endOutput();
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400").contains("HTTPS");
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void whatIsNoHelloEndsTheConnection() throws Exception {
        byte[] endless = new byte[20_000];
        for (int at = 0; at + 6 <= endless.length; at += 6) {
            System.arraycopy(new byte[] {22, 3, 1, 0, 1, 1}, 0, endless, at, 6);
        }
        for (byte[] bytes : List.of(new byte[] {22, 3, 1, 0, 4, 2, 0, 0, 0}, new byte[] {22, 3, 1, 0, 0}, endless)) {
            try (GatewayRawClient client = raw()) {
                client.say(bytes);
                assertThat(client.endsWithoutAByte()).isTrue();
            }
        }
    }

    @Test
    void helloThatDoesNotComeInTimeIsNotWaitedForAndGivesItsSeatBack() throws Exception {
        Seats seats = new Seats(8);
        GatewayArrivals arrivals = new GatewayArrivals(seats, TrustedProxies.NONE);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            GatewayArrivals.Arrival arrival = arrivals.seat(accepted).orElseThrow();
            assertThat(seats.taken()).isOne();
            arrivals.sweep(System.nanoTime());
            assertThat(accepted.isClosed()).isFalse();
            arrivals.sweep(System.nanoTime() + Duration.ofSeconds(11).toNanos());
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            arrival.leave();
            assertThat(seats.taken()).isZero();
        }
    }

    private void serve(UUID id, String name, GatewayBackend backend) throws IOException {
        fixture.serveNamed(id, name, backend, GatewayFixture.LOOPBACK, GatewayLimits.STANDARD);
    }

    private GatewayRawClient raw() throws IOException {
        return new GatewayRawClient(
                new Socket(InetAddress.ofLiteral("127.0.0.1"), fixture.shared().https()));
    }

    /** All that the gateway says to a hello with this name, or with no name. */
    private byte[] answerTo(@Nullable String name) throws Exception {
        try (GatewayRawClient client = raw()) {
            client.say(hello(name));
            return client.socket().getInputStream().readAllBytes();
        }
    }

    private byte[] hello(@Nullable String name) throws Exception {
        SSLEngine engine = fixture.trust().createSSLEngine();
        engine.setUseClientMode(true);
        if (name != null) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            engine.setSSLParameters(parameters);
        }
        ByteBuffer bytes = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), bytes);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private GatewayRawClient https(String name) throws Exception {
        return client(name, fixture.shared().https());
    }

    private GatewayRawClient client(String name, int port) throws Exception {
        return fixture.named(name, port);
    }
}
