package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An answer that cannot be delivered is noticed, and one that can be is not called lost. */
class LostAnswerTest {
    private static final String GET = "GET /watched HTTP/1.1\r\nHost: a\r\n\r\n";

    private final AtomicInteger lost = new AtomicInteger();

    private static Answer hello() {
        return Answer.json("{}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aClientThatHangsUpBeforeItsAnswerHasLostIt() throws IOException {
        PublicRoute route = TestHouse.open("/watched", exchange -> {
            exchange.ifLost(lost::incrementAndGet);
            TestHouse.await(exchange::gone);
            return hello();
        });
        try (TestHouse house = TestHouse.of(route)) {
            try (RawClient client = house.client()) {
                client.send(GET);
            }
            house.onlyRecord();
            assertThat(lost).hasValue(1);
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void aClientThatWaitsIsNotGone() throws IOException {
        PublicRoute route = TestHouse.open("/watched", exchange -> {
            exchange.ifLost(lost::incrementAndGet);
            return exchange.gone() ? Answer.notModified() : hello();
        });
        try (TestHouse house = TestHouse.of(route);
                RawClient client = house.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(GET).read().status()).isEqualTo(200);
            }
            assertThat(house.seen).hasSizeBetween(4, 5);
        }
        assertThat(lost).hasValue(0);
    }

    @Test
    void requestsThatAreSentAheadAreAllAnswered() throws IOException {
        PublicRoute route = TestHouse.open("/watched", exchange -> {
            exchange.ifLost(lost::incrementAndGet);
            return hello();
        });
        try (TestHouse house = TestHouse.of(route);
                RawClient client = house.client()) {
            client.send(GET + GET).send(GET.substring(0, 9)).send(GET.substring(9));
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
        assertThat(lost).hasValue(0);
    }

    @Test
    void aWatchedConnectionStillEndsWithItsListener() throws IOException {
        PublicRoute route = TestHouse.open("/watched", exchange -> {
            exchange.ifLost(lost::incrementAndGet);
            return hello();
        });
        TestHouse house = TestHouse.of(route);
        try (RawClient client = house.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(200);
            house.close();
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
