package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowClientTest {
    private static final PublicRoute HELLO =
            TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello"));
    private static final PublicRoute ECHO =
            new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body()));

    private static TestHouse house() throws IOException {
        return TestHouse.quick(HELLO, ECHO);
    }

    @Test
    void aHeadThatNeverEndsIsA408() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            RawClient.Reply reply =
                    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n").read();
            assertThat(reply.status()).isEqualTo(408);
            assertThat(reply.body()).contains("\"error\":\"REQUEST_TIMEOUT: ");
            assertThat(reply.body()).contains(String.valueOf(reply.header("X-Request-Id")));
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(house.onlyRecord().status()).isEqualTo(408);
        }
    }

    @Test
    void aBodyThatNeverEndsIsA408() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{\"a\"");
            RawClient.Reply reply = client.read();
            assertThat(reply.status()).isEqualTo(408);
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(house.onlyRecord().status()).isEqualTo(408);
            assertThat(house.onlyRecord().requestId()).hasToString(reply.header("X-Request-Id"));
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void bytesThatTrickleInDoNotBuyMoreTime() throws IOException, InterruptedException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n");
            CountDownLatch answered = new CountDownLatch(1);
            Thread trickle = Thread.startVirtualThread(() -> {
                try {
                    while (!answered.await(100, TimeUnit.MILLISECONDS)) {
                        client.send("X: y\r\n");
                    }
                } catch (IOException | InterruptedException closed) {
                    // The server hung up, which is the point.
                }
            });
            try {
                assertThat(client.read().status()).isEqualTo(408);
            } catch (EOFException | SocketException reset) {
                // A byte that came behind the answer had the system drop it; the connection is over all the same.
                assertThat(client.isClosedByServer()).isTrue();
            }
            answered.countDown();
            trickle.join();
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAWord() throws IOException {
        try (TestHouse house = house();
                RawClient fresh = house.client();
                RawClient used = house.client()) {
            assertThat(used.ask("GET /hello").status()).isEqualTo(200);
            assertThat(fresh.isClosedByServer()).isTrue();
            assertThat(used.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswerIsGivenUp() throws IOException {
        byte[] large = new byte[64 * 1024 * 1024];
        PublicRoute route = TestHouse.open(
                "/large", exchange -> new Answer(200, new Answer.Whole("text/plain", large), java.util.List.of()));
        try (TestHouse house = TestHouse.quick(route);
                RawClient client = house.client()) {
            client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(house.onlyRecord().status()).isEqualTo(408);
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void aClientThatLeavesInItsBodyIsNotAnError() throws IOException {
        try (TestHouse house = TestHouse.of(HELLO, ECHO)) {
            try (RawClient client = house.client()) {
                client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{\"a\"");
            }
            assertThat(house.onlyRecord().status()).isEqualTo(499);
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void aClientThatLeavesInItsHeadIsNotARequest() throws IOException {
        try (TestHouse house = TestHouse.of(HELLO, ECHO)) {
            try (RawClient client = house.client()) {
                client.send("GET /hello HTTP/1.1\r\nHos");
            }
            try (RawClient client = house.client()) {
                assertThat(client.ask("GET /hello").status()).isEqualTo(200);
            }
            assertThat(house.onlyRecord().status()).isEqualTo(200);
        }
    }
}
