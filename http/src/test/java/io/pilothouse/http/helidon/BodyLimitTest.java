package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BodyLimitTest {
    private static final int MAX_BODY = TestHouse.QUICK.bodyBytes();

    private static TestHouse house() throws IOException {
        return TestHouse.small(
                new PublicRoute("size", Verb.POST, "/size", exchange -> {
                    int length = exchange.hasBody() ? exchange.body().length : -1;
                    return Answer.text(200, "text/plain", Integer.toString(length));
                }),
                new PublicRoute("blind", Verb.POST, "/blind", exchange -> Answer.text(200, "text/plain", "unread")));
    }

    private static String head(String path, String framing) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n";
    }

    @Test
    void aBodyOfExactlyTheLimitIsRead() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(head("/size", "Content-Length: " + MAX_BODY)).send("x".repeat(MAX_BODY));
            assertThat(client.read().body()).isEqualTo(Integer.toString(MAX_BODY));
            String chunk = Integer.toHexString(MAX_BODY) + "\r\n" + "x".repeat(MAX_BODY) + "\r\n0\r\n\r\n";
            client.send(head("/size", "Transfer-Encoding: chunked")).send(chunk);
            assertThat(client.read().body()).isEqualTo(Integer.toString(MAX_BODY));
        }
    }

    @Test
    void aRequestWithoutABodyHasNone() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            assertThat(client.send(head("/size", "Content-Length: 0")).read().body())
                    .isEqualTo("-1");
            assertThat(client.send(head("/size", "X-No: body")).read().body()).isEqualTo("-1");
        }
    }

    @Test
    void aBodyThatSaysItIsTooLargeIsRefusedAndStillReadOff() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            int length = 40 * MAX_BODY;
            client.send(head("/size", "Content-Length: " + length)).send("x".repeat(length));
            RawClient.Reply reply = client.read();
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.body()).contains("PAYLOAD_TOO_LARGE: ");
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aBodyInChunksIsCountedAsItComes() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(head("/size", "Transfer-Encoding: chunked"));
            String chunk = "400\r\n" + "x".repeat(1024) + "\r\n";
            for (int sent = 0; sent <= MAX_BODY; sent += 1024) {
                client.send(chunk);
            }
            assertThat(client.read().status()).isEqualTo(413);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void oneEndlessChunkIsNotBuffered() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(head("/size", "Transfer-Encoding: chunked")).send("7fffffff\r\n");
            client.send("x".repeat(3 * MAX_BODY));
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    @Test
    void aChunkSizeWithoutAnEndIsNotBuffered() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(head("/size", "Transfer-Encoding: chunked")).send("0".repeat(3 * MAX_BODY));
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    @Test
    void aSmallUnreadBodyLeavesTheConnectionUsable() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(head("/blind", "Content-Length: 1000")).send("x".repeat(1000));
                assertThat(client.read().body()).isEqualTo("unread");
            }
        }
    }

    @Test
    void aLargeUnreadBodyEndsTheConnectionAfterTheAnswer() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            int length = 20 * MAX_BODY;
            client.send(head("/blind", "Content-Length: " + length)).send("x".repeat(length));
            RawClient.Reply reply = client.read();
            assertThat(reply.body()).isEqualTo("unread");
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void anUnreadBodyWithBrokenChunksGetsOneAnswerOnly() throws IOException {
        try (TestHouse house = house();
                RawClient client = house.client()) {
            client.send(head("/blind", "Transfer-Encoding: chunked")).send("zz\r\n");
            assertThat(client.read().body()).isEqualTo("unread");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
