package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamingTest {
    private static final int MANY = 20_000;

    private static void writeNumbers(OutputStream out) {
        try (JsonWriter json = new JsonWriter(out)) {
            json.startObject();
            json.startArray("numbers");
            for (int i = 0; i < MANY; i++) {
                json.startObject();
                json.whole("number", i);
                json.endObject();
            }
            json.endArray();
            json.endObject();
        }
    }

    @Test
    void contentIsSentWhileItIsWritten() throws IOException {
        try (TestHouse house = TestHouse.of(
                        TestHouse.open("/many", exchange -> Answer.streamedJson(StreamingTest::writeNumbers)));
                RawClient client = house.client()) {
            RawClient.Reply reply = client.ask("GET /many");
            assertThat(reply.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(reply.body()).startsWith("{\"numbers\":[{\"number\":0},").endsWith("{\"number\":19999}]}");
            assertThat(house.onlyRecord().contentBytes()).isEqualTo(reply.body().length());
            RawClient.Reply head = client.ask("HEAD /many");
            assertThat(head.header("Content-Length"))
                    .isEqualTo(Integer.toString(reply.body().length()));
            assertThat(client.ask("GET /many").body()).isEqualTo(reply.body());
        }
    }

    @Test
    void aShortStreamIsOnePiece() throws IOException {
        PublicRoute route = TestHouse.open(
                "/few",
                exchange -> Answer.streamedJson(out -> {
                    try (JsonWriter json = new JsonWriter(out)) {
                        json.startObject();
                        json.endObject();
                    }
                }));
        try (TestHouse house = TestHouse.of(route);
                RawClient client = house.client()) {
            assertThat(client.ask("GET /few").body()).isEqualTo("{}");
            assertThat(client.ask("GET /few").body()).isEqualTo("{}");
        }
    }

    @Test
    void anAnswerThatBreaksOffIsNeverTakenForWhole() throws IOException {
        PublicRoute route = TestHouse.open(
                "/broken",
                exchange -> Answer.streamedJson(out -> {
                    writeNumbers(out);
                    throw new IllegalStateException("the second page is gone");
                }));
        try (TestHouse house = TestHouse.of(route);
                RawClient client = house.client()) {
            assertThatThrownBy(() -> client.ask("GET /broken")).isInstanceOf(IOException.class);
            assertThat(house.onlyRecord().status()).isEqualTo(500);
            assertThat(house.failures).singleElement().isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aClientThatHangsUpInTheMiddleIsNotAnError() throws IOException, InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        PublicRoute route = TestHouse.open(
                "/endless",
                exchange -> Answer.streamedJson(out -> {
                    byte[] some = new byte[8192];
                    try {
                        out.write(some);
                        out.write(some);
                        gone.await(10, TimeUnit.SECONDS);
                        while (true) {
                            out.write(some);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }));
        try (TestHouse house = TestHouse.of(route)) {
            try (RawClient client = house.client()) {
                client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            gone.countDown();
            assertThat(house.onlyRecord().status()).isEqualTo(499);
            assertThat(house.failures).isEmpty();
        }
    }
}
