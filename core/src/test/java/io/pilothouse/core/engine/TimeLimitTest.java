package io.pilothouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Claim CLAIM = claim(Kind.SERVICE, 1, 1);

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch returned = new CountDownLatch(1);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        release.countDown();
        executor.close();
    }

    private static Claim claim(Kind kind, int id, int token) {
        return new Claim(kind, new UUID(0, id), token, 0, 0, Instant.EPOCH);
    }

    private TimeLimit limited(Duration limit) {
        return new TimeLimit(executor, limit, limit);
    }

    /** Returns when it is released, and ignores interrupts. */
    private void deaf() {
        calls.add("deaf");
        boolean waiting = true;
        while (waiting) {
            try {
                release.await();
                waiting = false;
            } catch (InterruptedException e) {
                calls.add("interrupted");
            }
        }
        returned.countDown();
    }

    /** Comes back when it is let go or interrupted. */
    private void patient() throws PlaneFault {
        calls.add("patient");
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            returned.countDown();
            throw new PlaneFault("Interrupted", e);
        }
    }

    private void prompt() {
        calls.add("prompt");
    }

    @Test
    void promptCallsPassThrough() throws PlaneFault {
        TimeLimit limit = limited(LONG);
        release.countDown();
        assertThat(limit.look(CLAIM, () -> 7)).isEqualTo(7);
        limit.act(CLAIM, this::deaf);
        limit.act(CLAIM, this::patient);
        limit.act(CLAIM, this::prompt);
        assertThat(calls).containsExactly("deaf", "patient", "prompt");
    }

    @Test
    void callThatTakesTooLongIsInterruptedAndBecomesAFault() throws InterruptedException {
        TimeLimit limit = limited(SHORT);
        assertThatThrownBy(() -> limit.act(CLAIM, this::patient))
                .isInstanceOf(PlaneFault.class)
                .hasMessageStartingWith("The data plane did not answer within");
        assertThat(returned.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void looksHaveALimitOfTheirOwn() {
        TimeLimit limit = new TimeLimit(executor, SHORT, LONG);
        assertThatThrownBy(() -> limit.look(CLAIM, () -> {
                    deaf();
                    return true;
                }))
                .hasMessageStartingWith("The data plane did not answer within");
    }

    @Test
    void subjectWhoseCallIsStillOutGetsNoSecondOne() throws InterruptedException {
        TimeLimit limit = limited(SHORT);
        assertThatThrownBy(() -> limit.act(CLAIM, this::deaf)).hasMessageStartingWith("The data plane did not answer");
        Claim later = claim(Kind.SERVICE, 1, 2);
        assertThatThrownBy(() -> limit.act(later, this::prompt))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The data plane has not come back from an earlier call");
        assertThat(calls).doesNotContain("prompt");
        release.countDown();
        assertThat(returned.await(1, TimeUnit.MINUTES)).isTrue();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!acts(limit, later) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(calls).contains("prompt");
    }

    @Test
    void otherSubjectsAndOtherKindsWaitForNoCallThatIsOut() throws PlaneFault {
        TimeLimit limit = new TimeLimit(executor, LONG, SHORT);
        assertThatThrownBy(() -> limit.act(CLAIM, this::deaf)).hasMessageStartingWith("The data plane did not answer");
        assertThat(limit.look(claim(Kind.SERVICE, 2, 1), () -> 7)).isEqualTo(7);
        assertThat(limit.look(claim(Kind.BACKUP, 1, 1), () -> 7)).isEqualTo(7);
    }

    private boolean acts(TimeLimit limit, Claim claim) {
        try {
            limit.act(claim, this::prompt);
            return true;
        } catch (PlaneFault e) {
            return false;
        }
    }

    @Test
    void failuresComeOutAsTheyWere() {
        TimeLimit limit = limited(LONG);
        PlaneFault fault = new PlaneFault("No room");
        assertThatThrownBy(() -> limit.look(CLAIM, () -> {
                    throw fault;
                }))
                .isSameAs(fault);
        IllegalStateException bug = new IllegalStateException("Bug");
        assertThatThrownBy(() -> limit.look(CLAIM, () -> {
                    throw bug;
                }))
                .isSameAs(bug);
        AssertionError error = new AssertionError("Worse");
        assertThatThrownBy(() -> limit.look(CLAIM, () -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void interruptedCallerGetsAFaultAndStaysInterrupted() {
        TimeLimit limit = limited(LONG);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> limit.act(CLAIM, this::patient)).hasMessage("The engine is stopping");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closedExecutorIsAFaultAndLeavesNothingOut() {
        TimeLimit limit = limited(LONG);
        executor.shutdown();
        assertThatThrownBy(() -> limit.act(CLAIM, this::prompt)).hasMessage("The engine is stopping");
        assertThatThrownBy(() -> limit.act(CLAIM, this::prompt)).hasMessage("The engine is stopping");
    }
}
