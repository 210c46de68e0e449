package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that never reach a database: malformed, half sent, too slow or too long. */
class GatewayHttpRefusalTest {
    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;

    GatewayHttpRefusalTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
        database = new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach);
        fixture.serve(GatewaySwitch.awake(database.address()));
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        fixture.close();
    }

    static Stream<Arguments> malformedHeads() {
        String host = "Host: h\r\n";
        return Stream.of(
                Arguments.of("400", "hello\r\n\r\n"),
                Arguments.of("400", "GET /\r\n" + host + "\r\n"),
                Arguments.of("400", "GET  HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("400", " GET / HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("400", "GET /a b HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("400", "GET /a\tb HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("400", "G(T / HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("400", "GET / SPDY/3\r\n" + host + "\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\n" + host + "\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\nHost: h\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\rHost: h\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + "X: a\0b\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + "X: a\u007fb\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + host + "\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + ": no name\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + "Space : before\r\n\r\n"),
                Arguments.of("400", "GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length: +1\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length: 1, 1\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length:\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length: 9999999999999999999\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"),
                Arguments.of(
                        "400",
                        "POST / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Arguments.of("400", "POST / HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n"),
                Arguments.of("403", "GET /?query=SELECT+1&us%65r=pilot%68ouse HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("403", "GET / HTTP/1.1\r\n" + host + "X-ClickHouse-User: pilothouse\r\n\r\n"),
                // pilothouse:guess, and the name alone
                Arguments.of(
                        "403", "GET / HTTP/1.1\r\n" + host + "Authorization: Basic cGlsb3Rob3VzZTpndWVzcw==\r\n\r\n"),
                Arguments.of("403", "GET / HTTP/1.1\r\n" + host + "Authorization: basic cGlsb3Rob3VzZQ==\r\n\r\n"),
                Arguments.of("405", "CONNECT h:80 HTTP/1.1\r\n" + host + "\r\n"),
                Arguments.of("501", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
                Arguments.of("501", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n"),
                Arguments.of(
                        "501",
                        "POST / HTTP/1.1\r\n" + host
                                + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Arguments.of("505", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                Arguments.of("431", "GET / HTTP/1.1\r\n" + host + "X: 1\r\n".repeat(1_001) + "\r\n"));
    }

    @ParameterizedTest
    @MethodSource("malformedHeads")
    void malformedHeadIsRefusedAndNeverForwarded(String status, String head) throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            String answer = client.say(head).readToEnd();
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("Connection: close\r\n");
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).endsWith(".\n");
        }
        fixture.awaitAllGone(1);
        assertThat(database.visits()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("malformedHeads")
    void malformedHeadWhosePeerVanishesIsNeverForwarded(String status, String head) throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            client.say(head).reset();
        }
        fixture.awaitAllGone(1);
        assertThat(database.visits()).as("refused with %s", status).isEmpty();
    }

    @Test
    void halfAHeadIsNeverForwardedHoweverItsPeerLeaves() throws Exception {
        String whole = "POST /?query=SELECT+1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";
        int clients = 0;
        for (int cut = 1; cut < whole.length(); cut += 7) {
            try (GatewayRawClient vanishing = fixture.plain();
                    GatewayRawClient closing = fixture.plain()) {
                vanishing.say(whole.substring(0, cut)).reset();
                closing.say(whole.substring(0, cut)).endOutput();
                assertThat(closing.readToEnd()).startsWith("HTTP/1.1 400 Bad Request");
                clients += 2;
            }
        }
        fixture.awaitAllGone(clients);
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void halfAHeadOverTlsIsNeverForwarded() throws Exception {
        try (GatewayRawClient client = fixture.secured(GatewayProtocol.HTTPS)) {
            client.say("GET / HTTP/1.1\r\nHo");
        }
        fixture.awaitAllGone(1);
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void garbageInsteadOfTlsIsNeverForwarded() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            client.say(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5}).readToEnd();
        }
        fixture.awaitAllGone(1);
        assertThat(database.visits()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /?user=default&x=pilothouse HTTP/1.1\r\nHost: h\r\nX-ClickHouse-User: pilothouse2\r\n\r\n",
                "GET /?user=%zz HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer pilothouse\r\n\r\n",
                "GET /?%zz=1 HTTP/1.1\r\nHost: h\r\nAuthorization: Basic =\r\n\r\n"
            })
    void otherUsersPassHoweverTheyAreWritten(String head) throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.say(head).readAnswer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void emptyLinesBeforeARequestAreIgnored() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.say("\r\n\r\n").get("/").readAnswer()).endsWith("Ok.\n");
            assertThat(client.say("\r\n").get("/again").readAnswer()).endsWith("Ok.\n");
            assertThat(database.received()).startsWith("GET / ").contains("\r\n\r\nGET /again");
        }
    }

    @Test
    void secondRequestIsJudgedAfterTheFirstIsAnswered() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            client.get("/first").say("second\r\n\r\n");
            assertThat(client.readAnswer()).startsWith("HTTP/1.1 200").endsWith("Ok.\n");
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400");
        }
        assertThat(database.received()).contains("GET /first").doesNotContain("second");
    }

    @Test
    void headThatIsTooLongIsRefused() throws Exception {
        fixture.serve(
                GatewaySwitch.awake(database.address()),
                GatewayFixture.LOOPBACK,
                GatewayFixture.limits(10, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        try (GatewayRawClient line = fixture.plain();
                GatewayRawClient headers = fixture.plain()) {
            assertThat(line.say("GET /" + "x".repeat(70_000)).readToEnd()).startsWith("HTTP/1.1 414 ");
            assertThat(headers.say("GET / HTTP/1.1\r\nX: " + "x".repeat(70_000)).readToEnd())
                    .startsWith("HTTP/1.1 431 ");
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void queryOfNearlyAMegabyteInTheAddressIsServed() throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            String target = "/?query=" + "x".repeat(1_000_000);
            assertThat(client.get(target).readAnswer()).endsWith("Ok.\n");
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
        assertThat(database.received()).hasSizeGreaterThan(1_000_000);
    }

    @Test
    void slowHeadIsRefusedInTime() throws Exception {
        fixture.serve(
                GatewaySwitch.awake(database.address()),
                GatewayFixture.LOOPBACK,
                GatewayFixture.limits(10, Duration.ofMinutes(1), Duration.ofSeconds(3)));
        try (GatewayRawClient plain = fixture.plain();
                GatewayRawClient secured = fixture.secured(GatewayProtocol.HTTPS)) {
            plain.say("GET / HTTP/1.1\r\n");
            secured.say("GET / HTTP/1.1\r\n");
            assertThat(plain.readToEnd()).startsWith("HTTP/1.1 408 ");
            assertThat(secured.readToEnd()).startsWith("HTTP/1.1 408 ");
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void slowHandshakeIsEndedInTime() throws Exception {
        fixture.serve(
                GatewaySwitch.awake(database.address()),
                GatewayFixture.LOOPBACK,
                GatewayFixture.limits(10, Duration.ofMinutes(1), Duration.ofMillis(200)));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.say(new byte[] {0x16, 3, 1}).endsWithoutAByte()).isTrue();
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void bodyThatStopsIsGivenUpAndTheDatabaseSeesAHalfClose() throws Exception {
        fixture.serve(
                GatewaySwitch.awake(database.address()),
                GatewayFixture.LOOPBACK,
                GatewayFixture.limits(10, Duration.ofSeconds(2), Duration.ofSeconds(10)));
        try (GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n123");
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 502 ");
        }
        assertThat(database.visits()).singleElement().satisfies(visit -> {
            assertThat(visit.inputEnded).isTrue();
            assertThat(visit.received()).endsWith("\r\n\r\n123");
        });
    }

    @ParameterizedTest
    @MethodSource("brokenChunks")
    void brokenChunkEndsTheBodyBeforeItsEnd(String chunks) throws Exception {
        try (GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n" + chunks);
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 ");
        }
        assertThat(database.visits()).singleElement().satisfies(visit -> {
            assertThat(visit.inputEnded).isTrue();
            // bytes not yet sent when the fault was found need not be sent any more
            assertThat(visit.received()).matches("(?s)|.*\r\n\r\n2\r\nab\r\n");
        });
    }

    static Stream<String> brokenChunks() {
        return Stream.of(
                "\r\n",
                "x\r\n",
                "-1\r\n",
                "1 \r\na\r\n",
                "1\nab",
                "1\r\r",
                "1234567812345678\r\n",
                "1;" + "e".repeat(5_000) + "\r\n",
                "0\r\n" + "t".repeat(20_000) + "\r\n\r\n",
                "0\r\nt: 1\rx");
    }

    /** The trap that killed a database: its peer had disconnected before it had written its refusal. */
    @Test
    void databaseIsHeardOutWhenTheClientVanishesInTheMiddleOfABody() throws Exception {
        CountDownLatch clientIsGone = new CountDownLatch(1);
        try (GatewayRecordingDatabase slow = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            visit.readToEnd();
            eventually("the client is gone", () -> clientIsGone.getCount() == 0);
            visit.say("HTTP/1.1 400 Bad Request\r\nContent-Length: 200000\r\n\r\n");
            visit.say(new byte[200_000]);
        })) {
            fixture.serve(GatewaySwitch.awake(slow.address()));
            try (GatewayRawClient client = fixture.plain()) {
                client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf");
                eventually("the body began to arrive", () -> slow.received().endsWith("half"));
                client.reset();
            }
            eventually("the database saw the half-close", () -> slow.visits().getFirst().inputEnded);
            clientIsGone.countDown();
            eventually("the database is done", () -> slow.visits().getFirst().over);
            assertThat(slow.visits().getFirst().broken).isFalse();
        }
    }

    @Test
    void databaseIsHeardOutWhenTheClientVanishesBeforeTheAnswer() throws Exception {
        CountDownLatch clientIsGone = new CountDownLatch(1);
        try (GatewayRecordingDatabase slow = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            eventually("the client is gone", () -> clientIsGone.getCount() == 0);
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n");
            visit.say(new byte[500_000]);
        })) {
            fixture.serve(GatewaySwitch.awake(slow.address()));
            try (GatewayRawClient client = fixture.plain()) {
                client.get("/");
                eventually("the request arrived", () -> slow.received().endsWith("\r\n\r\n"));
                assertThat(fixture.traffic().queriesInFlight()).isEqualTo(1);
                client.reset();
            }
            clientIsGone.countDown();
            eventually("the database is done", () -> slow.visits().getFirst().over);
            assertThat(slow.visits().getFirst().broken).isFalse();
            eventually("no query is in flight", () -> fixture.traffic().queriesInFlight() == 0);
        }
    }
}
