package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ListenerTest {
    private static final String HELLO = "{\"hello\":\"world\"}";

    private static PublicRoute hello() {
        return TestHouse.open("/hello", exchange -> Answer.json(HELLO.getBytes(StandardCharsets.UTF_8)));
    }

    private static PublicRoute echo() {
        return new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body()));
    }

    @Test
    void answersOnTheConnectionAgainAndAgain() throws IOException {
        try (TestHouse house = TestHouse.of(hello());
                RawClient client = house.client()) {
            for (int i = 0; i < 3; i++) {
                RawClient.Reply reply = client.ask("GET /hello");
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo(HELLO);
                assertThat(reply.header("Content-Type")).isEqualTo("application/json");
                assertThat(reply.header("Connection")).isNull();
            }
        }
    }

    @Test
    void everyAnswerCarriesItsOwnRequestId() throws IOException {
        try (TestHouse house = TestHouse.of(hello());
                RawClient client = house.client()) {
            String first = client.ask("GET /hello").header("X-Request-Id");
            String second = client.ask("GET /hello").header("X-Request-Id");
            assertThat(first).isNotNull().isNotEqualTo(second);
            assertThat(UUID.fromString(String.valueOf(first)).version()).isEqualTo(4);
            TestHouse.await(() -> house.seen.size() == 2);
            assertThat(house.seen.getFirst().requestId()).hasToString(first);
        }
    }

    @Test
    void headHasTheHeadOfGetAndNoBody() throws IOException {
        try (TestHouse house = TestHouse.of(hello());
                RawClient client = house.client()) {
            RawClient.Reply head = client.ask("HEAD /hello");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(HELLO.length()));
            assertThat(client.ask("GET /hello").body()).isEqualTo(HELLO);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        PublicRoute second = TestHouse.open("/second", exchange -> Answer.text(200, "text/plain", "second"));
        try (TestHouse house = TestHouse.of(hello(), second, echo());
                RawClient client = house.client()) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
                    + "GET /second HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().body()).isEqualTo(HELLO);
            assertThat(client.read().body()).isEqualTo("{}");
            assertThat(client.read().body()).isEqualTo("second");
        }
    }

    @Test
    void connectionCloseReallyCloses() throws IOException {
        try (TestHouse house = TestHouse.of(hello(), echo())) {
            for (String request : List.of(
                    "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
                    "POST /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")) {
                try (RawClient client = house.client()) {
                    RawClient.Reply reply = client.send(request).read();
                    assertThat(reply.header("Connection")).isEqualTo("close");
                    assertThat(client.isClosedByServer()).isTrue();
                }
            }
        }
    }

    @Test
    void expectContinueGetsItsContinueWhenTheBodyIsWanted() throws IOException {
        try (TestHouse house = TestHouse.of(echo());
                RawClient client = house.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("true").read().body()).isEqualTo("true");
            assertThat(client.ask("GET /nowhere").status()).isEqualTo(404);
        }
    }

    @Test
    void expectContinueIsRefusedWithoutTheBody() throws IOException {
        try (TestHouse house = TestHouse.of(hello());
                RawClient client = house.client()) {
            RawClient.Reply reply = client.send(
                            "POST /hello HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
                    .read();
            assertThat(reply.status()).isEqualTo(405);
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void theAbsoluteFormOfATargetIsTheSamePath() throws IOException {
        try (TestHouse house = TestHouse.of(hello());
                RawClient client = house.client()) {
            assertThat(client.ask("GET http://test/hello").body()).isEqualTo(HELLO);
            assertThat(client.ask("GET http://test").status()).isEqualTo(404);
        }
    }

    @Test
    void aTakenPortIsAnIoException() throws IOException {
        try (TestHouse house = TestHouse.of(hello())) {
            InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), house.listener.port());
            Gate gate = Gate.open(List.of(hello()), new Enveloped(), seen -> {}, (id, operation, cause) -> {});
            assertThatThrownBy(() ->
                            Listener.start("second", taken, ListenerLimits.standard(), gate, TestHouse.entrance()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void anAddressThatIsNotOursIsAnIoException() {
        Gate gate = Gate.open(List.of(hello()), new Enveloped(), seen -> {}, (id, operation, cause) -> {});
        assertThatThrownBy(() -> Listener.start(
                        "far",
                        new InetSocketAddress("192.0.2.1", 0),
                        ListenerLimits.standard(),
                        gate,
                        TestHouse.entrance()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aRemoteAddressIsThatOfTheSocket() throws IOException {
        PublicRoute who = TestHouse.open(
                "/who",
                exchange ->
                        Answer.text(200, "text/plain", exchange.remoteAddress().getHostAddress()));
        try (TestHouse house = TestHouse.of(who);
                RawClient client = house.client()) {
            client.send("GET /who HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("127.0.0.1");
        }
    }
}
