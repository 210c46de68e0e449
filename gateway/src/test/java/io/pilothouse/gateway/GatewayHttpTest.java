package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP through the gateway, byte for byte, over real sockets. */
class GatewayHttpTest {
    private final GatewayFixture fixture;

    GatewayHttpTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
    }

    @BeforeEach
    void authorityIsWritten() {
        assertThat(fixture.authorityFileIsThere()).isTrue();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void samePortTakesTlsAndPlainHttp() throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient secured = fixture.secured(GatewayProtocol.HTTPS);
                GatewayRawClient plain = fixture.plain()) {
            assertThat(secured.get("/secured").readAnswer())
                    .startsWith("HTTP/1.1 200 OK")
                    .endsWith("Ok.\n");
            assertThat(plain.get("/plain").readAnswer())
                    .startsWith("HTTP/1.1 200 OK")
                    .endsWith("Ok.\n");
            assertThat(database.received()).contains("GET /secured", "GET /plain");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void bothVersionsOfTlsCarryManyRequests(String version) throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.secured(GatewayProtocol.HTTPS, version)) {
            for (int count = 0; count < 3; count++) {
                assertThat(client.get("/" + count).readAnswer()).endsWith("Ok.\n");
            }
            assertThat(database.received()).contains("GET /0", "GET /1", "GET /2");
        }
    }

    @Test
    void javaClientSpeaksTlsByNameAndByAddress() throws GeneralSecurityException, IOException, InterruptedException {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(fixture.trust()).build()) {
            for (String host : new String[] {"localhost", "127.0.0.1"}) {
                URI uri = URI.create("https://" + host + ":" + fixture.port(GatewayProtocol.HTTPS) + "/ping");
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(uri)
                                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.body()).isEqualTo("Ok.\n");
                assertThat(answer.headers().firstValue("x-length")).contains("8");
            }
            assertThat(database.visits()).isNotEmpty();
        }
    }

    @Test
    void headReachesTheDatabaseAsItWasWritten() throws Exception {
        String head = """
            POST /?query=INSERT%20INTO%20t&a=%C3%A9 HTTP/1.1
            Host: somewhere:1
            X-ClickHouse-User: default
            x-odd:   two  spaces
            X-Odd: twice
            Connection: Keep-Alive
            Content-Length: 3

            """.replace("\n", "\r\n");
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            client.say(head + "1,2").readAnswer();
            assertThat(database.received()).isEqualTo(head + "1,2");
        }
    }

    @Test
    void oneConnectionServesRequestAfterRequest() throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            for (int count = 0; count < 50; count++) {
                assertThat(client.get("/" + count).readAnswer()).endsWith("Ok.\n");
            }
            assertThat(database.visits()).hasSizeLessThan(5);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    for (String head = visit.readHead(); !head.isEmpty(); head = visit.readHead()) {
                        String target = head.substring(4, head.indexOf(" HTTP"));
                        visit.say("HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + target);
                    }
                });
                GatewayRawClient client = fixture.plain()) {
            client.get("/a").get("/b").get("/c");
            assertThat(client.readAnswer()).endsWith("/a");
            assertThat(client.readAnswer()).endsWith("/b");
            assertThat(client.readAnswer()).endsWith("/c");
            assertThat(database.received()).contains("GET /c");
        }
    }

    @Test
    void chunkedBodyIsReframedWithoutExtensionsAndTrailers() throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .say("4;note=\"x\"\r\nINSE\r\n0008\r\nRT INTO \r\n0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n");
            assertThat(client.readAnswer()).contains("X-Length: 12");
            assertThat(database.received()).doesNotContain("note", "Trailer").endsWith("0\r\n\r\n");
            assertThat(client.get("/next").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void chunkSplitAnywhereArrivesWhole() throws Exception {
        byte[] request = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            for (byte each : request) {
                client.say(new byte[] {each});
            }
            assertThat(client.readAnswer()).contains("X-Length: 11");
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void expectContinueIsTheDatabasesToGrant() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    String head = visit.readHead();
                    visit.say("HTTP/1.1 100 Continue\r\n\r\n");
                    byte[] body = visit.readBody(head);
                    visit.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Length: " + body.length + "\r\n\r\n");
                });
                GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
            assertThat(client.readHead()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(database.received()).doesNotContain("12345");
            assertThat(client.say("12345").readHead()).contains("X-Length: 5");
        }
    }

    @Test
    void progressHeadersPassBeforeTheHeadIsComplete() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        try (GatewayRecordingDatabase database = database(visit -> {
                    visit.readHead();
                    visit.say("HTTP/1.1 200 OK\r\nX-ClickHouse-Progress: {\"read_rows\":\"1\"}\r\n");
                    await(seen);
                    visit.say("Content-Length: 2\r\n\r\nok");
                });
                GatewayRawClient client = fixture.plain()) {
            client.get("/");
            String first = new String(client.read(30), StandardCharsets.ISO_8859_1);
            assertThat(first).startsWith("HTTP/1.1 200 OK\r\nX-ClickHouse");
            seen.countDown();
            assertThat(client.readAnswer()).endsWith("ok");
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void answerThatEndsWithItsConnectionEndsTheClientsToo() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    visit.readHead();
                    visit.say("HTTP/1.0 200 OK\r\n\r\nall of it");
                });
                GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readToEnd()).endsWith("\r\n\r\nall of it");
            client.leave();
            fixture.awaitAllGone(1);
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void connectionCloseIsHonoured() throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            client.say("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(client.readToEnd()).endsWith("Ok.\n");
            assertThat(database.received()).contains("Connection: close");
        }
    }

    @Test
    void headRequestIsAnsweredWithoutWaitingForABody() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    while (!visit.readHead().isEmpty()) {
                        visit.say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                    }
                });
                GatewayRawClient client = fixture.plain()) {
            for (int count = 0; count < 2; count++) {
                client.say("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(client.readHead()).contains("Content-Length: 1000");
            }
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void clientThatHalfClosesStillGetsItsAnswer() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    visit.readToEnd();
                    visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
                });
                GatewayRawClient client = fixture.plain()) {
            client.get("/");
            client.endOutput();
            assertThat(client.readToEnd()).endsWith("late");
            assertThat(database.visits().getFirst().inputEnded).isTrue();
        }
    }

    @Test
    void answerGivenBeforeTheBodyIsReadReachesTheClient() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    visit.readHead();
                    visit.say("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
                });
                GatewayRawClient client = fixture.plain()) {
            client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
                    .say(new byte[5000]);
            assertThat(client.readToEnd()).startsWith("HTTP/1.1 403").endsWith("no");
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void databaseThatHangsUpIsABadGateway() throws Exception {
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase.Visit::readHead);
                GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readToEnd())
                    .startsWith("HTTP/1.1 502 Bad Gateway")
                    .endsWith("without an answer.\n");
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void databaseThatDoesNotSpeakHttpIsABadGateway() throws Exception {
        try (GatewayRecordingDatabase database = database(visit -> {
                    visit.readHead();
                    visit.say("220 mail.example ESMTP\r\n");
                });
                GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readToEnd()).startsWith("HTTP/1.1 502 Bad Gateway");
            assertThat(database.visits()).hasSize(1);
        }
    }

    @Test
    void largeBodiesPassInBothDirectionsAtOnce() throws Exception {
        int megabytes = 24;
        try (GatewayRecordingDatabase database = database(visit -> {
                    String head = visit.readHead();
                    Future<Integer> length = fixture.threads.submit(() -> visit.readBody(head).length);
                    visit.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    byte[] chunk = new byte[1 << 20];
                    for (int count = 0; count < megabytes; count++) {
                        visit.say("100000\r\n");
                        visit.say(chunk);
                        visit.say("\r\n");
                    }
                    visit.say("8\r\n" + HexFormat.of().toHexDigits(get(length)) + "\r\n0\r\n\r\n");
                });
                HttpClient client =
                        HttpClient.newBuilder().sslContext(fixture.trust()).build()) {
            URI uri = URI.create("https://localhost:" + fixture.port(GatewayProtocol.HTTPS) + "/");
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .version(HttpClient.Version.HTTP_1_1)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[megabytes << 20]))
                    .build();
            Future<HttpResponse<byte[]>> answer =
                    fixture.threads.submit(() -> client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
            byte[] body = get(answer).body();
            assertThat(body).hasSize((megabytes << 20) + 8);
            assertThat(new String(body, megabytes << 20, 8, StandardCharsets.US_ASCII))
                    .isEqualTo(HexFormat.of().toHexDigits(megabytes << 20));
            eventually("all was counted", () -> fixture.traffic().bytesSent() > megabytes << 20);
            assertThat(fixture.traffic().bytesReceived()).isGreaterThan(megabytes << 20);
            assertThat(database.visits()).hasSize(1);
        }
    }

    private GatewayRecordingDatabase database(GatewayRecordingDatabase.Script script) throws IOException {
        GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, script);
        fixture.serve(GatewaySwitch.awake(database.address()));
        return database;
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void await(CountDownLatch latch) {
        eventually("the test has seen enough", () -> latch.getCount() == 0);
    }
}
