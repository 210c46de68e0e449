package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.key.Idempotency;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The surroundings of the transaction of a request under an Idempotency-Key: it is prepared before, and followed up
 * after.
 */
class RepeatedRequestTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final byte[] ANSWER = "made".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private final Permit permit = new Caller(
                    UUID.randomUUID(), UUID.randomUUID(), "key", Set.of(Permission.SERVICE_WRITE))
            .permit(Permission.SERVICE_WRITE, UUID.randomUUID());
    private Store store;
    private Idempotency idempotency;

    @BeforeEach
    void open() {
        store = SqliteStore.open(
                folder, Thread.ofPlatform().name("store-writer").factory(), StoreMetrics.NONE);
        idempotency = new Idempotency(store, Instant::now, new SecureRandom());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Idempotency.Kept once(Supplier<Prepared<byte[]>> work) {
        return idempotency.once(permit, "the key", "the secret", "the print", work);
    }

    @Test
    void aRepeatedRequestIsNotAnsweredBeforeTheFollowUpOfItsCommit() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        Thread second = Thread.ofPlatform().unstarted(() -> {
            boolean replayed = once(() -> {
                        throw new AssertionError("it was done before");
                    })
                    .replayed();
            order.add("second answered, replayed " + replayed);
        });
        once(() -> tables -> {
            tables.afterCommit(() -> {
                second.start();
                awaitWaiting(second);
                order.add("first has opened its door");
            });
            return ANSWER;
        });
        second.join(PATIENCE);
        assertThat(order).containsExactly("first has opened its door", "second answered, replayed true");
    }

    private static void awaitWaiting(Thread thread) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).isLessThan(end);
            assertThat(thread.isAlive()).as("waits").isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void workIsPreparedOutsideOfTheTransactionAndOnTheThreadOfItsCaller() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        once(() -> {
            threads.add(Thread.currentThread());
            // Inside a read, this would be refused.
            store.write(tables -> tables.newId(Instant.EPOCH));
            return tables -> ANSWER;
        });
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void aValueTakenMeanwhileIsDrawnAgain() {
        AtomicInteger drawn = new AtomicInteger();
        Idempotency.Kept kept = once(() -> {
            int port = 20_000 + drawn.getAndIncrement();
            if (port < 20_003) {
                store.write(tables -> {
                    tables.ports().reserve(UUID.randomUUID(), List.of(port));
                    return port;
                });
            }
            return tables -> {
                tables.ports().reserve(UUID.randomUUID(), List.of(port));
                return ANSWER;
            };
        });
        assertThat(kept.replayed()).isFalse();
        assertThat(drawn).hasValue(4);
        assertThat(store.<Boolean>read(
                        tables -> tables.ports().known().reserved().contains(20_003)))
                .isTrue();
    }

    @Test
    void drawingEndsIfItIsTakenEveryTime() {
        AtomicInteger drawn = new AtomicInteger();
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() -> idempotency.each(() -> {
                    drawn.incrementAndGet();
                    return tables -> {
                        throw new TakenMeanwhile("always");
                    };
                }));
        assertThat(drawn.get()).isBetween(2, 100);
    }
}
