package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.store.WriteQueue.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose write is next. */
@Timeout(30)
class WriteQueueTest {
    private final WriteQueue queue = new WriteQueue(60, 24);

    private QueuedWrite<?> offered(Lane lane) {
        QueuedWrite<Boolean> write = new QueuedWrite<>(tables -> true);
        assertThat(queue.offer(write, lane)).isTrue();
        return write;
    }

    private List<QueuedWrite<?>> offered(int count, Lane lane) {
        List<QueuedWrite<?>> writes = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            writes.add(offered(lane));
        }
        return writes;
    }

    private List<QueuedWrite<?>> polled(int count) {
        List<QueuedWrite<?>> writes = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            writes.add(queue.poll());
        }
        return writes;
    }

    @Test
    void writesOfRequestsGoBeforeThoseOfTheEngine() throws InterruptedException {
        QueuedWrite<?> engines = offered(Lane.ENGINE);
        QueuedWrite<?> first = offered(Lane.REQUESTS);
        QueuedWrite<?> second = offered(Lane.REQUESTS);
        assertThat(queue.size()).isEqualTo(3);
        assertThat(polled(2)).containsExactly(first, second);
        // There is a write of the engine, and it comes without anything else that happens.
        assertThat(queue.take()).isSameAs(engines);
        assertThat(queue.size()).isZero();
    }

    @Test
    void engineDoesNotJoinAGroupThatClientsWaitFor() {
        QueuedWrite<?> engines = offered(Lane.ENGINE);
        QueuedWrite<?> request = offered(Lane.REQUESTS);
        assertThat(queue.poll()).isSameAs(request);
        assertThat(queue.poll()).isNull();
        assertThat(engines.take()).isTrue();
    }

    @Test
    void engineWaitsUntilTheClientsThatWereAnsweredCanHaveComeAgain() throws InterruptedException {
        QueuedWrite<?> engines = offered(Lane.ENGINE);
        polled(offered(20, Lane.REQUESTS).size());
        long answered = System.nanoTime();
        assertThat(queue.take()).isSameAs(engines);
        assertThat(Duration.ofNanos(System.nanoTime() - answered)).isGreaterThanOrEqualTo(Duration.ofMillis(2));
    }

    @Test
    void engineHasOneTurnInTwentyFiveHoweverManyRequestsWait() {
        List<QueuedWrite<?>> requests = offered(60, Lane.REQUESTS);
        List<QueuedWrite<?>> engines = offered(3, Lane.ENGINE);
        List<QueuedWrite<?>> expected = new ArrayList<>(requests.subList(0, 24));
        expected.add(engines.get(0));
        expected.addAll(requests.subList(24, 48));
        expected.add(engines.get(1));
        expected.addAll(requests.subList(48, 60));
        assertThat(polled(62)).isEqualTo(expected);
    }

    @Test
    void engineHasTheWriterToItselfWhereThereAreNoRequests() {
        List<QueuedWrite<?>> engines = offered(20, Lane.ENGINE);
        assertThat(polled(20)).isEqualTo(engines);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void fullLaneTakesNoMoreAndTheOtherDoes() {
        offered(60, Lane.REQUESTS);
        assertThat(queue.offer(new QueuedWrite<>(tables -> true), Lane.REQUESTS))
                .isFalse();
        offered(Lane.ENGINE);
    }

    @Test
    void writesThatWaitAtTheEndAreStillGivenAndThenNone() throws InterruptedException {
        QueuedWrite<?> request = offered(Lane.REQUESTS);
        QueuedWrite<?> engines = offered(Lane.ENGINE);
        queue.end();
        assertThat(queue.take()).isSameAs(request);
        assertThat(queue.take()).isSameAs(engines);
        assertThat(queue.take()).isNull();
    }

    @Test
    void aWriteThatWaitedTooLongIsSentAwayAndALaterOneIsNot() {
        QueuedWrite<?> request = offered(Lane.REQUESTS);
        QueuedWrite<?> engines = offered(Lane.ENGINE);
        queue.dismiss(Duration.ofHours(1));
        queue.dismiss(Duration.ZERO);
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(request::await);
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(engines::await);
        QueuedWrite<?> later = offered(Lane.REQUESTS);
        queue.dismiss(Duration.ofHours(1));
        assertThat(later.take()).isTrue();
        assertThat(request.take()).isFalse();
    }
}
