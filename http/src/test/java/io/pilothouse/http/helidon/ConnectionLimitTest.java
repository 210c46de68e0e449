package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who gets a seat when there are not enough of them. */
class ConnectionLimitTest {
    private static final PublicRoute HELLO =
            TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello"));
    private static final ListenerLimits EIGHT = ListenerLimits.standard().withConnections(8);

    private final List<RawClient> crowd = new ArrayList<>();

    @Test
    void silentConnectionsLockNobodyOut() throws IOException {
        try (TestHouse house = TestHouse.of(EIGHT, HELLO)) {
            try {
                for (int count = 0; count < 100; count++) {
                    crowd.add(house.client());
                    if (count % 10 == 9) {
                        try (RawClient client = house.client();
                                RawClient elsewhere = house.client("127.0.0.2")) {
                            assertThat(client.ask("GET /hello").status()).isEqualTo(200);
                            assertThat(elsewhere.ask("GET /hello").status()).isEqualTo(200);
                        }
                    }
                }
                assertThat(crowd.getFirst().isClosedByServer()).isTrue();
                assertThat(crowd.getLast().ask("GET /hello").status()).isEqualTo(200);
            } finally {
                leave();
            }
        }
    }

    @Test
    void connectionThatRestsMakesRoomAfterTheSilentOnes() throws IOException {
        try (TestHouse house = TestHouse.of(EIGHT, HELLO)) {
            try {
                for (int count = 0; count < 5; count++) {
                    crowd.add(house.client());
                    assertThat(crowd.getLast().ask("GET /hello").status()).isEqualTo(200);
                }
                RawClient silent = house.client();
                crowd.add(silent);
                try (RawClient next = house.client()) {
                    assertThat(next.ask("GET /hello").status()).isEqualTo(200);
                    assertThat(silent.isClosedByServer()).isTrue();
                    assertThat(crowd.getFirst().ask("GET /hello").status()).isEqualTo(200);
                    try (RawClient oneMore = house.client()) {
                        assertThat(oneMore.ask("GET /hello").status()).isEqualTo(200);
                        assertThat(crowd.get(1).isClosedByServer()).isTrue();
                        assertThat(crowd.getFirst().ask("GET /hello").status()).isEqualTo(200);
                    }
                }
            } finally {
                leave();
            }
        }
    }

    @Test
    void requestsUnderWayKeepTheirSeatsAndOneAddressNeverHasAll() throws IOException {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger arrived = new AtomicInteger();
        PublicRoute slow = TestHouse.open("/slow", exchange -> {
            arrived.incrementAndGet();
            try {
                assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Answer.text(200, "text/plain", "late");
        });
        try (TestHouse house = TestHouse.of(EIGHT, HELLO, slow)) {
            try {
                for (int count = 0; count < 6; count++) {
                    crowd.add(house.client().send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"));
                }
                TestHouse.await(() -> arrived.get() == 6);
                try (RawClient seventh = house.client();
                        RawClient elsewhere = house.client("127.0.0.2")) {
                    RawClient.Reply refusal = seventh.ask("GET /hello");
                    assertThat(refusal.status()).isEqualTo(503);
                    assertThat(refusal.header("Retry-After")).isEqualTo("1");
                    assertThat(refusal.body()).contains("Too many connections are open: try again");
                    assertThat(seventh.isClosedByServer()).isTrue();
                    assertThat(elsewhere.ask("GET /hello").status()).isEqualTo(200);
                }
                goOn.countDown();
                for (RawClient each : crowd) {
                    assertThat(each.read().body()).isEqualTo("late");
                }
            } finally {
                goOn.countDown();
                leave();
            }
        }
    }

    @Test
    void silentConnectionEndsLongBeforeOneThatWasServed() throws IOException {
        ListenerLimits usual = ListenerLimits.standard();
        ListenerLimits quick = new ListenerLimits(
                usual.headBytes(),
                usual.bodyBytes(),
                usual.connections(),
                Duration.ofMillis(300),
                usual.headTime(),
                usual.bodyTime(),
                usual.writeTime(),
                usual.idleTime(),
                usual.stopTime());
        try (TestHouse house = TestHouse.of(quick, HELLO);
                RawClient silent = house.client();
                RawClient served = house.client()) {
            assertThat(served.ask("GET /hello").status()).isEqualTo(200);
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(served.ask("GET /hello").status()).isEqualTo(200);
        }
        assertThat(usual.firstTime()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    private void leave() throws IOException {
        for (RawClient each : crowd) {
            each.close();
        }
    }
}
