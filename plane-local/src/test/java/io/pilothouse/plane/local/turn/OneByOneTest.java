package io.pilothouse.plane.local.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.turn.OneByOne.Held;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OneByOneTest {
    private final OneByOne working = new OneByOne();

    @Test
    void secondWaitsForTheFirstAndOthersDoNot() throws InterruptedException {
        UUID id = UUID.randomUUID();
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> second = new CompletableFuture<>();
        try (Held _ = working.take(id)) {
            Thread.ofVirtual().start(() -> {
                begun.countDown();
                try (Held _ = working.take(id)) {
                    second.complete(null);
                } catch (InterruptedException e) {
                    second.completeExceptionally(e);
                }
            });
            begun.await();
            try (Held _ = working.take(UUID.randomUUID())) {
                assertThat(second).isNotDone();
            }
        }
        second.join();
    }

    @Test
    void serviceThatNobodyWorksOnIsForgotten() throws InterruptedException {
        for (int each = 0; each < 1_000; each++) {
            try (Held _ = working.take(UUID.randomUUID())) {
                assertThat(working.taken()).isEqualTo(1);
            }
        }
        assertThat(working.taken()).isZero();
    }
}
