package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private PublicRoute waiting() {
        return TestHouse.open("/waiting", exchange -> {
            begun.countDown();
            try {
                assertThat(goOn.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Answer.text(200, "text/plain", "finished");
        });
    }

    @Test
    void aRequestThatRunsIsFinished() throws IOException, InterruptedException {
        TestHouse house = TestHouse.of(waiting());
        try (RawClient client = house.client()) {
            client.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Thread stop = Thread.startVirtualThread(house::close);
            TestHouse.await(() -> refusesConnections(house));
            goOn.countDown();
            assertThat(client.read().body()).isEqualTo("finished");
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(stop.join(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void idleAndHalfSentConnectionsDoNotHoldItUp() throws IOException {
        TestHouse house = TestHouse.of(TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello")));
        try (RawClient idle = house.client();
                RawClient used = house.client();
                RawClient halfLine = house.client();
                RawClient halfHead = house.client()) {
            halfLine.send("GET /hel");
            halfHead.send("GET /hello HTTP/1.1\r\nHost");
            assertThat(used.ask("GET /hello").status()).isEqualTo(200);
            long began = System.nanoTime();
            house.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
            assertThat(idle.isClosedByServer()).isTrue();
            assertThat(used.isClosedByServer()).isTrue();
            assertThat(halfHead.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aRequestThatNeverEndsIsCutOffInTheEnd() throws IOException, InterruptedException {
        TestHouse house = TestHouse.quick(waiting());
        try (RawClient client = house.client()) {
            client.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Thread stop = Thread.startVirtualThread(house::close);
            assertThat(stop.join(Duration.ofSeconds(9))).isTrue();
            TestHouse.await(() -> refusesConnections(house));
        }
    }

    @Test
    void closingTwiceIsAllowed() throws IOException {
        TestHouse house = TestHouse.of(waiting());
        house.close();
        house.close();
        assertThat(refusesConnections(house)).isTrue();
    }

    private static boolean refusesConnections(TestHouse house) {
        try {
            house.client().close();
            return false;
        } catch (IOException refused) {
            return true;
        }
    }
}
