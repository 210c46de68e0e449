package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void roundsFollowEachOtherUntilTheyAreClosed() {
        rounds.run(Duration.ofMillis(1), () -> {
            if (done.incrementAndGet() == 3) {
                rounds.close();
            }
        });
        assertThat(done).hasValue(3);
    }

    @Test
    void whatIsClosedDoesNothing() {
        rounds.close();
        rounds.run(Duration.ofHours(1), done::incrementAndGet);
        assertThat(done).hasValue(0);
    }

    @Test
    void threadThatIsInterruptedEndsThemAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        rounds.run(Duration.ofHours(1), done::incrementAndGet);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).hasValue(0);
    }
}
