package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.0, as proxies in their usual configuration and many health checks speak it. */
class OlderHttpTest {
    private static TestHouse house() throws IOException {
        return TestHouse.of(
                TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello")),
                TestHouse.open("/many", exchange -> Answer.streamedJson(OlderHttpTest::writeMany)),
                new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body())));
    }

    private static void writeMany(java.io.OutputStream out) {
        try {
            out.write("[".getBytes(StandardCharsets.US_ASCII));
            out.write("0,".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
            out.write("0]".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /hello HTTP/1.0\r\n\r\n",
                "GET /hello HTTP/1.0\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.0\r\nAccept: */*\r\nhost: a:80\r\nConnection: close\r\n\r\n",
                "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                "POST /echo HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello"
            })
    void isAnsweredAndTheConnectionEnds(String request) throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            RawClient.Reply reply = client.send(request).read();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(reply.body()).isEqualTo("hello");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void itMayComeByteByByte() throws IOException {
        String request = "POST /echo HTTP/1.0\r\nX: y\r\nContent-Length: 5\r\n\r\nhello";
        try (TestHouse house = house();
                RawClient client = house.client()) {
            for (byte each : request.getBytes(StandardCharsets.US_ASCII)) {
                client.send(new byte[] {each});
            }
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    @Test
    void aLongAnswerHasALengthAndNoChunks() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            RawClient.Reply reply =
                    client.send("GET /many HTTP/1.0\r\nHost: a\r\n\r\n").read();
            assertThat(reply.header("Transfer-Encoding")).isNull();
            assertThat(reply.body()).hasSize(200_003).endsWith("0]");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aSecondRequestOnItsConnectionIsNotRead() throws IOException {
        String request = "GET /hello HTTP/1.0\r\n\r\n";
        try (TestHouse house = house();
                RawClient client = house.client()) {
            assertThat(client.send(request + request).read().status()).isEqualTo(200);
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(house.seen).hasSize(1);
        }
    }

    @Test
    void aHeadWithoutAnEndIsRefused() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            String fields = "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n".repeat(2_000);
            assertThat(client.send("GET /hello HTTP/1.0\r\n" + fields).read().status())
                    .isEqualTo(400);
        }
    }

    @Test
    void aPathEndsWithASlashOrWithout() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            for (String path : List.of("/hello", "/hello/", "/hello/?a=b", "http://a/hello/")) {
                assertThat(client.ask("GET " + path).body()).as(path).isEqualTo("hello");
            }
            assertThat(client.ask("GET /hello//").status()).isEqualTo(404);
        }
    }
}
