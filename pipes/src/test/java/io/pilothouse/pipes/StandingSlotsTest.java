package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.StandingSlots.Pace;
import io.pilothouse.testkit.PipeSample;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Visits to the sources of pipes that stand still. */
class StandingSlotsTest {
    private static final UUID ORGANIZATION = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final UUID SERVICE = UUID.fromString("00000000-0000-4000-8000-000000000002");
    /** Without any pause a lane would hold its lock again and again, and never hear that it is to end. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private static final Pace AT_ONCE = new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, PAUSE);
    private static final Pace ONCE =
            new Pace(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO, PAUSE);
    private static final Pace ONCE_IT_WORKS =
            new Pace(Duration.ofDays(1), Duration.ZERO, Duration.ofDays(1), Duration.ZERO, PAUSE);
    private static final int PATIENCE_SECONDS = 60;

    private final AtomicInteger visitors = new AtomicInteger();
    private final Semaphore gone = new Semaphore(0);
    private final Map<UUID, Pipe> standing = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** What a visitor finds. */
    @FunctionalInterface
    private interface Source {
        long bytes(Pipe pipe) throws PlaneFault;
    }

    private StandingSlots slots(Source source, Pace pace) {
        StandingSlots slots = notBegun(source, pace);
        slots.begin(threads);
        return slots;
    }

    private StandingSlots notBegun(Source source, Pace pace) {
        return new StandingSlots(
                id -> Optional.ofNullable(standing.get(id)),
                () -> {
                    visitors.incrementAndGet();
                    return new StandingSlots.Visitor() {
                        @Override
                        public long bytes(Pipe pipe) throws PlaneFault {
                            return source.bytes(pipe);
                        }

                        @Override
                        public void close() {
                            gone.release();
                        }
                    };
                },
                pace);
    }

    private UUID pipe(int number) {
        return pipe(number, ORGANIZATION);
    }

    private UUID pipe(int number, UUID organization) {
        UUID id = new UUID(0x4000, 0x8000000000000000L + number);
        standing.put(
                id,
                PipeSample.running(
                        id, organization, SERVICE, PipeKind.POSTGRES, Instant.parse("2026-01-01T00:00:00Z")));
        return id;
    }

    /** Returns when this many visits have begun. */
    private static void await(Semaphore visits, int count) throws InterruptedException {
        assertThat(visits.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void slotIsMeasuredAgainWhileItsPipeStandsStill() throws InterruptedException {
        AtomicLong bytes = new AtomicLong(5 << 20);
        Semaphore visits = new Semaphore(0);
        StandingSlots slots = slots(
                _ -> {
                    visits.release();
                    return bytes.get();
                },
                AT_ONCE);
        UUID id = pipe(1);
        slots.watch(id);
        await(visits, 3);
        assertThat(slots.find(id).orElseThrow().values()).isEqualTo(Map.of(PipeFigure.SLOT_MEBIBYTES, 5L));
        assertThat(slots.ofOrganization(ORGANIZATION)).containsExactly(id);
        bytes.set(7 << 20);
        visits.drainPermits();
        // One may have begun before, and another may not have been noted yet.
        await(visits, 4);
        assertThat(slots.all())
                .extracting(figures -> figures.values().get(PipeFigure.SLOT_MEBIBYTES))
                .containsExactly(7L);

        slots.forget(id);
        assertThat(slots.find(id)).isEmpty();
        assertThat(slots.ofOrganization(ORGANIZATION)).isEmpty();
    }

    @Test
    void sizeStaysKnownWhileTheSourceIsAwayAndGoesWithTheSlot() throws InterruptedException {
        AtomicInteger visit = new AtomicInteger();
        Semaphore visits = new Semaphore(0);
        CountDownLatch dropped = new CountDownLatch(1);
        StandingSlots slots = slots(
                _ -> {
                    int number = visit.incrementAndGet();
                    visits.release();
                    if (number == 1) {
                        return 9L << 20;
                    }
                    if (dropped.getCount() > 0) {
                        throw new PlaneFault("It is away.");
                    }
                    return -1;
                },
                AT_ONCE);
        UUID id = pipe(1);
        slots.watch(id);
        await(visits, 4);
        assertThat(slots.find(id)).isPresent();
        dropped.countDown();
        visits.drainPermits();
        await(visits, 4);
        assertThat(slots.find(id)).isEmpty();
    }

    @Test
    void visitThatFailedIsRepeatedSoonAndThenLessOften() throws InterruptedException {
        AtomicInteger visit = new AtomicInteger();
        Semaphore visits = new Semaphore(0);
        StandingSlots slots = slots(
                _ -> {
                    visits.release();
                    if (visit.incrementAndGet() < 3) {
                        throw new PlaneFault("It is away.");
                    }
                    return 0;
                },
                ONCE_IT_WORKS);
        slots.watch(pipe(1));
        await(visits, 3);

        assertThat(Stream.iterate(Pace.USUAL.firstRetry(), Pace.USUAL::retryAfter)
                        .limit(8)
                        .map(Duration::toMinutes))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void twoSourcesAreVisitedAtOnceHoweverManyThereAre() throws InterruptedException {
        Semaphore begun = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        StandingSlots slots = slots(
                _ -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    begun.release();
                    mayEnd.acquireUninterruptibly();
                    now.decrementAndGet();
                    return 0;
                },
                ONCE);
        for (int number = 0; number < 7; number++) {
            slots.watch(pipe(number));
        }
        await(begun, 2);
        mayEnd.release(7);
        await(begun, 5);
        assertThat(most.get()).isEqualTo(2);
    }

    @Test
    void pipeThatRunsOrIsGoneIsNotVisited() throws InterruptedException {
        Map<UUID, Boolean> visited = new ConcurrentHashMap<>();
        Semaphore visits = new Semaphore(0);
        StandingSlots slots = slots(
                pipe -> {
                    visited.put(pipe.id(), true);
                    visits.release();
                    return 0;
                },
                ONCE);
        UUID gone = pipe(1);
        standing.remove(gone);
        slots.watch(gone);
        UUID last = pipe(2);
        slots.watch(last);
        await(visits, 1);
        assertThat(visited).containsOnlyKeys(last);
    }

    @Test
    void pipesOfOneOrganizationThatAreDueShareAVisitor() throws InterruptedException {
        Semaphore visits = new Semaphore(0);
        StandingSlots slots = notBegun(
                _ -> {
                    visits.release();
                    return 0;
                },
                ONCE);
        for (int number = 0; number < 20; number++) {
            slots.watch(pipe(number, new UUID(0, number % 2)));
        }
        slots.begin(threads);
        await(visits, 20);
        // Half of what is due, then half of the rest: each time at most one for each of the two.
        await(gone, 2);
        assertThat(visitors.get()).isLessThan(12);
    }
}
