package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Faults;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedRequestTest {
    private static TestHouse house() throws IOException {
        return TestHouse.small(
                TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello")),
                new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body())));
    }

    private static void requireError(RawClient.Reply reply, int status) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        RequestBody body = new RequestBody(
                JsonReader.readObject(reply.body().getBytes(java.nio.charset.StandardCharsets.UTF_8), new Faults()),
                JsonPath.ROOT,
                new Faults());
        assertThat(body.number("status")).isEqualTo(status);
        assertThat(body.text("error")).matches("[A-Z]+(_[A-Z]+)*: .+");
        assertThat(body.text("requestId")).isEqualTo(reply.header("X-Request-Id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n\r\n",
                "GET\r\n\r\n",
                "GET /hello\r\n\r\n",
                "GET  /hello HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.1 \r\nHost: a\r\n\r\n",
                "GET /hello HTTP/2.0\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/9.9\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/0.9\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.0 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.00\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.0\r\nHost: a b\r\n\r\n",
                "get /he\u0001llo HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /he{llo HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello%zz HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello?a=%zz|<> HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.1\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a:port\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n",
                "GET /hello HTTP/1.1\nHost: a\n\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n99999999999\r\n{}\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nnot the end\r\n"
            })
    void isA400InTheShapeOfEveryError(String request) throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            requireError(client.send(request).read(), 400);
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(house.onlyRecord().status()).isEqualTo(400);
            try (RawClient next = house.client()) {
                assertThat(next.ask("GET /hello").status()).isEqualTo(200);
            }
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void aRequestLineThatIsTooLongIsRefused() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            String path = "/" + "a".repeat(TestHouse.QUICK.headBytes() + 10_000);
            requireError(
                    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").read(), 414);
        }
    }

    @Test
    void headersThatAreTooLongAreRefused() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            StringBuilder request = new StringBuilder("GET /hello HTTP/1.1\r\nHost: a\r\n");
            for (int i = 0; i < 3000; i++) {
                request.append("X-Padding-").append(i).append(": aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
            }
            requireError(client.send(request.append("\r\n").toString()).read(), 400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "GET /hello// HTTP/1.1",
                "GET //hello HTTP/1.1",
                "GET /./hello HTTP/1.1",
                "GET /x/../hello HTTP/1.1",
                "GET /%68ello HTTP/1.1",
                "GET /hello;a=b HTTP/1.1",
                "GET /HELLO HTTP/1.1",
                "GET /nowhere HTTP/1.1"
            })
    void aPathHasOneSpelling(String line) throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            requireError(client.send(line + "\r\nHost: a\r\n\r\n").read(), 404);
            assertThat(client.ask("GET /hello").status()).isEqualTo(200);
        }
    }

    @Test
    void anUnknownMethodIsAnsweredWithThoseThereAre() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            for (String method : List.of("OPTIONS", "POST", "TRACE", "BREW")) {
                RawClient.Reply reply = client.ask(method + " /hello");
                requireError(reply, 405);
                assertThat(reply.header("Allow")).isEqualTo("GET, HEAD");
            }
        }
    }

    @Test
    void bytesThatAreNoHttpAtAllAreRefused() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xfc, 0x03, 0x03});
            client.send("\r\n\r\n");
            requireError(client.read(), 400);
        }
    }
}
