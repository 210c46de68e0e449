package io.pilothouse.pipes.worker.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What ends a task, and what does not. */
class VisitsTest {
    @Test
    void faultOfAVisitDoesNotEndTheTask() throws InterruptedException {
        CountDownLatch tries = new CountDownLatch(2);
        Visits visits = new Visits(
                _ -> {
                    tries.countDown();
                    throw new IllegalStateException("a fault of ours");
                },
                _ -> _ -> {
                    throw new IOException("nobody asks for rows");
                },
                "token",
                0,
                Clock.systemUTC());
        Thread task = Thread.ofVirtual().start(visits);
        assertThat(tries.await(1, TimeUnit.MINUTES)).isTrue();
        visits.stop();
        assertThat(task.join(Duration.ofMinutes(1))).isTrue();
    }
}
