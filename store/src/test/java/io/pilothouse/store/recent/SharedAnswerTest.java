package io.pilothouse.store.recent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One question at a time for all who want the answer, and none from before somebody wanted it. */
class SharedAnswerTest {
    private static final int CROWD = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<Integer> answers = new ArrayList<>();

    @Test
    void aCrowdThatComesDuringAQuestionSharesTheNextOne() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger questions = new AtomicInteger();
        SharedAnswer<Integer> shared = new SharedAnswer<>(() -> {
            asked.countDown();
            await(goOn);
            return questions.incrementAndGet();
        });
        Thread first = start(shared);
        await(asked);
        List<Thread> crowd = new ArrayList<>();
        for (int one = 0; one < CROWD; one++) {
            crowd.add(start(shared));
        }
        awaitWaiting(crowd);
        goOn.countDown();
        for (Thread one : crowd) {
            assertThat(one.join(PATIENCE)).isTrue();
        }
        assertThat(first.join(PATIENCE)).isTrue();
        assertThat(questions).hasValue(2);
        assertThat(answers).hasSize(CROWD + 1).containsOnlyOnce(1).containsOnly(1, 2);
    }

    @Test
    void aQuestionThatFailsFailsForThoseWhoWaitedForIt() {
        AtomicInteger questions = new AtomicInteger();
        SharedAnswer<Integer> shared = new SharedAnswer<>(() -> {
            if (questions.incrementAndGet() == 1) {
                throw new IllegalStateException("away");
            }
            return questions.get();
        });
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(shared::get)
                .withMessage("away");
        assertThat(shared.get()).isEqualTo(2);
    }

    private Thread start(SharedAnswer<Integer> shared) {
        return Thread.ofPlatform().start(() -> {
            Integer answer = shared.get();
            synchronized (answers) {
                answers.add(answer);
            }
        });
    }

    private static void awaitWaiting(List<Thread> threads) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!threads.stream().allMatch(one -> one.getState() == Thread.State.WAITING)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Not all of them wait");
            }
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
