package io.pilothouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A change under all passes waits for them, and they for it. */
class LullTest {
    private static final long PATIENCE_SECONDS = 20;

    private final Tasks.Claim claim = new Tasks.Claim(Tasks.Kind.SERVICE, new UUID(1, 2), 1, 1, 0, Instant.EPOCH);
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aPassRunsWhereNothingIsChanged() {
        new Lull(Duration.ZERO).over(_ -> runs.incrementAndGet()).run(claim);
        assertThat(runs).hasValue(1);
    }

    @Test
    void theWorkIsDoneWhenThePassThatRunsHasEnded() throws InterruptedException, ExecutionException, TimeoutException {
        Lull lull = new Lull(Duration.ofSeconds(PATIENCE_SECONDS));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> pass = CompletableFuture.runAsync(() -> lull.over(_ -> {
                    begun.countDown();
                    awaitQuietly(end);
                    runs.incrementAndGet();
                })
                .run(claim));
        begun.await();
        CompletableFuture<Integer> work = CompletableFuture.supplyAsync(() -> lull.during(runs::get));
        assertThat(work).isNotDone();
        end.countDown();
        assertThat(work.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
        pass.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aPassWaitsForTheWork() throws InterruptedException, ExecutionException, TimeoutException {
        Lull lull = new Lull(Duration.ofSeconds(PATIENCE_SECONDS));
        CompletableFuture<Void> pass = lull.during(() -> {
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                    () -> lull.over(_ -> runs.incrementAndGet()).run(claim));
            assertThat(runs).hasValue(0);
            return waiting;
        });
        pass.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(runs).hasValue(1);
    }

    @Test
    void workIsRefusedWhereAPassTakesTooLong() {
        Lull lull = new Lull(Duration.ZERO);
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        lull.over(_ -> {
                    try {
                        CompletableFuture.runAsync(() -> lull.during(runs::incrementAndGet))
                                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    } catch (ExecutionException e) {
                        refusal.complete(e.getCause());
                    } catch (InterruptedException | TimeoutException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .run(claim);
        assertThat(refusal).isCompletedWithValueMatching(Refused.class::isInstance);
        assertThat(runs).hasValue(0);
    }

    @Test
    void workThatFailsHoldsUpNoPass() {
        Lull lull = new Lull(Duration.ZERO);
        assertThatThrownBy(() -> lull.during(() -> {
                    throw new IllegalArgumentException("a mistake");
                }))
                .hasMessage("a mistake");
        lull.over(_ -> runs.incrementAndGet()).run(claim);
        assertThat(runs).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
