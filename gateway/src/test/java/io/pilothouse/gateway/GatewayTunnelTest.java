package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ClickHouse's own protocol and MySQL: passed through where the database has them, refused in their own words where not. */
class GatewayTunnelTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final GatewayReach UNSUPPORTED =
            new GatewayReach.Unsupported("This database does not speak that protocol.");

    private final GatewayFixture fixture;

    GatewayTunnelTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void nativeBytesPassBothWaysWithTlsEndedHere() throws Exception {
        try (GatewayRecordingDatabase database = echo();
                GatewayRawClient client = client(GatewaySwitch.awake(database.address()))) {
            client.say("hello");
            assertThat(client.read(5)).isEqualTo(bytes("hello"));
            client.say("again");
            assertThat(client.read(5)).isEqualTo(bytes("again"));
            client.endOutput();
            assertThat(client.readToEnd()).isEmpty();
            assertThat(database.received()).isEqualTo("helloagain");
        }
        fixture.awaitAllGone(1);
    }

    @Test
    void nativeQueryIsInFlightUntilTheDatabaseFallsSilent() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
                    visit.readByte();
                    eventually("it may answer", () -> mayAnswer.getCount() == 0);
                    visit.say("a");
                    visit.readToEnd();
                });
                GatewayRawClient client = client(GatewaySwitch.awake(database.address()))) {
            client.say("q");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            mayAnswer.countDown();
            assertThat(client.read()).isEqualTo('a');
            eventually("it has ended", () -> fixture.traffic().queriesInFlight() == 0);
        }
    }

    @Test
    void nativeClientWakesWithItsFirstBytesOnly() throws Exception {
        try (GatewayRecordingDatabase database = echo()) {
            GatewaySwitch backend = GatewaySwitch.asleep(database.address());
            try (GatewayRawClient silent = client(backend);
                    GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
                client.say("hi");
                assertThat(client.read(2)).isEqualTo(bytes("hi"));
                assertThat(silent.socket().isConnected()).isTrue();
            }
            assertThat(backend.wakings()).isEqualTo(1);
            assertThat(database.visits()).hasSize(1);
        }
        assertThat(fixture.ports).hasSize(3);
    }

    @Test
    void nativeClientOfAnDatabaseWithoutThatProtocolGetsAnException() throws Exception {
        try (GatewayRawClient client = client(GatewaySwitch.always(UNSUPPORTED))) {
            client.say(new byte[] {0, 5, 'h', 'e', 'l', 'l', 'o'});
            assertNativeException(client, 48, "DB::Exception: This database does not speak that protocol.");
        }
    }

    @Test
    void longSentencePassesWhole() throws Exception {
        String sentence = "x".repeat(300) + ".";
        try (GatewayRawClient client = client(GatewaySwitch.always(new GatewayReach.Unavailable(sentence)))) {
            client.say("x");
            assertNativeException(client, 210, "DB::Exception: " + sentence);
        }
    }

    @Test
    void nativeClientOfADatabaseThatDoesNotWakeGetsAnException() throws Exception {
        try (GatewayRawClient client = client(GatewaySwitch.always(new GatewayReach.Asleep()))) {
            client.say("x");
            assertNativeException(client, 210, "DB::Exception: The database is still starting.");
        }
    }

    @Test
    void nativeClientBeyondTheLimitGetsAnException() throws Exception {
        try (GatewayRecordingDatabase busy =
                        new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase.Visit::readToEnd);
                GatewayRawClient first = atWork(busy);
                GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
            client.say("x");
            assertNativeException(client, 202, "DB::Exception: This service has too many connections.");
            assertThat(first.socket().isConnected()).isTrue();
            assertThat(busy.visits()).hasSize(1);
        }
    }

    @Test
    void nativeClientWithoutTlsIsRefusedWithAReason() throws Exception {
        fixture.serve(GatewaySwitch.always(UNSUPPORTED));
        try (GatewayRawClient client = fixture.plain(GatewayProtocol.NATIVESECURE)) {
            client.say(new byte[] {0});
            assertNativeException(client, 48, "DB::Exception: This port speaks TLS; connect with --secure.");
        }
    }

    @Test
    void silentTunnelIsEndedInTime() throws Exception {
        try (GatewayRecordingDatabase database = echo()) {
            fixture.serve(
                    GatewaySwitch.awake(database.address()),
                    GatewayFixture.LOOPBACK,
                    GatewayFixture.limits(10, Duration.ofSeconds(2), LONG));
            try (GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
                client.say("x");
                assertThat(client.read()).isEqualTo('x');
                assertThat(client.endsWithoutAByte()).isTrue();
            }
            eventually("the database saw the end", () -> database.visits().getFirst().over);
        }
    }

    @Test
    void databaseThatEndsTheSessionEndsTheClients() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
                    visit.readByte();
                    visit.say("bye");
                });
                GatewayRawClient client = client(GatewaySwitch.awake(database.address()))) {
            assertThat(client.say("x").readToEnd()).isEqualTo("bye");
        }
        fixture.awaitAllGone(1);
    }

    @Test
    void databaseThatIgnoresTheGoodbyeIsLeftInTime() throws Exception {
        CountDownLatch testIsOver = new CountDownLatch(1);
        try (GatewayRecordingDatabase deaf = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readToEnd();
            eventually("the test is over", () -> testIsOver.getCount() == 0);
        })) {
            fixture.serve(
                    GatewaySwitch.awake(deaf.address()),
                    GatewayFixture.LOOPBACK,
                    GatewayFixture.limits(10, Duration.ofSeconds(2), LONG));
            try (GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
                client.say("x");
                client.endOutput();
                assertThat(client.readToEnd()).isEmpty();
            }
            fixture.awaitAllGone(1);
            testIsOver.countDown();
        }
    }

    @Test
    void answerInFlightIsFinishedBeforeAWithdrawnServiceLeaves() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
                    visit.readByte();
                    eventually("it may answer", () -> mayAnswer.getCount() == 0);
                    visit.say("answer");
                    visit.readToEnd();
                });
                GatewayRawClient client = client(GatewaySwitch.awake(database.address()))) {
            client.say("q");
            eventually("it is in flight", () -> fixture.traffic().queriesInFlight() == 1);
            fixture.threads.execute(this::withdraw);
            eventually(
                    "no other client is let in", () -> fixture.gateway.bindable(fixture.port(GatewayProtocol.HTTPS)));
            mayAnswer.countDown();
            assertThat(client.readToEnd()).isEqualTo("answer");
        }
    }

    private void withdraw() {
        try {
            fixture.gateway.withdraw(GatewayFixture.SERVICE, LONG);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void databaseHearsOfAClientThatVanishes() throws Exception {
        try (GatewayRecordingDatabase database = echo()) {
            try (GatewayRawClient client = client(GatewaySwitch.awake(database.address()))) {
                client.say("x");
                assertThat(client.read()).isEqualTo('x');
                client.reset();
            }
            eventually("the database saw the end", () -> database.visits().getFirst().over);
            assertThat(database.visits().getFirst().broken).isFalse();
        }
    }

    @Test
    void mysqlServerSpeaksFirst() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.say("greeting");
            visit.readToEnd();
        })) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            try (GatewayRawClient client = fixture.plain(GatewayProtocol.MYSQL)) {
                assertThat(client.read(8)).isEqualTo(bytes("greeting"));
                client.say("login");
                client.endOutput();
                assertThat(client.readToEnd()).isEmpty();
            }
            assertThat(database.received()).isEqualTo("login");
        }
    }

    @Test
    void mysqlClientThatStaysWakesThoughItMustNotSpeakFirst() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.say("greeting");
            visit.readToEnd();
        })) {
            GatewaySwitch backend = GatewaySwitch.asleep(database.address());
            fixture.serve(backend);
            try (GatewayRawClient check = fixture.plain(GatewayProtocol.MYSQL)) {
                check.leave();
                fixture.awaitAllGone(1);
                assertThat(backend.wakings()).isZero();
            }
            try (GatewayRawClient client = fixture.plain(GatewayProtocol.MYSQL)) {
                assertThat(client.read(8)).isEqualTo(bytes("greeting"));
            }
            assertThat(backend.wakings()).isEqualTo(1);
        }
    }

    @Test
    void mysqlClientOfAnDatabaseWithoutThatProtocolGetsAnError() throws Exception {
        fixture.serve(GatewaySwitch.always(UNSUPPORTED));
        assertMysqlError(1235, "This database does not speak that protocol.");
    }

    @Test
    void mysqlClientOfAStoppedDatabaseGetsAnError() throws Exception {
        fixture.serve(GatewaySwitch.always(new GatewayReach.Unavailable("The service is stopped.")));
        assertMysqlError(1053, "The service is stopped.");
    }

    @Test
    void mysqlClientBeyondTheLimitGetsAnErrorAtOnce() throws Exception {
        try (GatewayRecordingDatabase busy =
                        new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase.Visit::readToEnd);
                GatewayRawClient first = atWork(busy)) {
            assertMysqlError(1040, "This service has too many connections.");
            assertThat(first.socket().isConnected()).isTrue();
            assertThat(busy.visits()).hasSize(1);
        }
    }

    /** The one client that this service may have, with a query in flight. */
    private GatewayRawClient atWork(GatewayRecordingDatabase busy) throws IOException {
        fixture.serve(
                GatewaySwitch.awake(busy.address()), GatewayFixture.LOOPBACK, GatewayFixture.limits(1, LONG, LONG));
        GatewayRawClient first = fixture.plain().get("/");
        eventually("its query has begun", () -> busy.visits().size() == 1);
        return first;
    }

    private GatewayRecordingDatabase echo() throws IOException {
        return new GatewayRecordingDatabase(fixture.threads, visit -> {
            for (int next = visit.readByte(); next >= 0; next = visit.readByte()) {
                visit.say(new byte[] {(byte) next});
            }
        });
    }

    private GatewayRawClient client(GatewayBackend backend) throws IOException, GeneralSecurityException {
        fixture.serve(backend);
        return fixture.secured(GatewayProtocol.NATIVESECURE);
    }

    private static void assertNativeException(GatewayRawClient client, int code, String text) throws IOException {
        byte[] packet = client.readToEnd().getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.get()).as("packet type").isEqualTo((byte) 2);
        assertThat(in.getInt()).isEqualTo(code);
        assertThat(string(in)).isEqualTo("DB::Exception");
        assertThat(string(in)).isEqualTo(text);
        assertThat(string(in)).as("stack trace").isEmpty();
        assertThat(in.get()).as("nested").isZero();
        assertThat(in.hasRemaining()).isFalse();
    }

    private void assertMysqlError(int code, String text) throws IOException {
        try (GatewayRawClient client = fixture.plain(GatewayProtocol.MYSQL)) {
            byte[] packet = client.readToEnd().getBytes(StandardCharsets.ISO_8859_1);
            ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
            int head = in.getInt();
            assertThat(head & 0xffffff).as("length").isEqualTo(packet.length - 4);
            assertThat(head >>> 24).as("sequence").isZero();
            assertThat(in.get()).isEqualTo((byte) 0xff);
            assertThat(in.getShort()).isEqualTo((short) code);
            assertThat(new String(packet, 7, packet.length - 7, StandardCharsets.UTF_8))
                    .isEqualTo(text);
        }
    }

    private static String string(ByteBuffer in) {
        int length = 0;
        int shift = 0;
        byte next = in.get();
        while (next < 0) {
            length |= (next & 0x7f) << shift;
            shift += 7;
            next = in.get();
        }
        byte[] text = new byte[length | (next << shift)];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
