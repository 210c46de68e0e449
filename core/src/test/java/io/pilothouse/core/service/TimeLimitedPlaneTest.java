package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.PlaneFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeLimitedPlaneTest {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Service service =
            PlanScene.of(Wish.RUN, Condition.ABSENT, Condition.ABSENT).service();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch returned = new CountDownLatch(1);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        release.countDown();
        executor.close();
    }

    /** Notes what it was asked; {@code start} comes back when it is let go and heeds no interrupt, {@code stop} heeds it. */
    private final class SlowPlane implements DataPlane {
        private final @Nullable Throwable failure;

        SlowPlane(@Nullable Throwable failure) {
            this.failure = failure;
        }

        @Override
        public Sight observe(Service looked) throws PlaneFault {
            calls.add("observe");
            switch (failure) {
                case PlaneFault fault -> throw fault;
                case RuntimeException bug -> throw bug;
                case Error error -> throw error;
                case null, default -> {}
            }
            return new Sight(Condition.RUNNING, true, null, null);
        }

        @Override
        public void start(Service started) {
            calls.add("start");
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

        @Override
        public void stop(Service stopped) throws PlaneFault {
            calls.add("stop");
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                returned.countDown();
                throw new PlaneFault("Interrupted", e);
            }
        }

        @Override
        public void erase(Service erased) {
            calls.add("erase");
        }

        @Override
        public List<Endpoint> endpoints(Service reached) {
            return List.of(new Endpoint("https", "host", 8443, "default"));
        }

        @Override
        public String name() {
            return "slow";
        }
    }

    private TimeLimitedPlane limited(@Nullable Throwable failure, Duration limit) {
        return new TimeLimitedPlane(new SlowPlane(failure), executor, limit, limit);
    }

    @Test
    void promptCallsPassThrough() throws PlaneFault {
        TimeLimitedPlane plane = limited(null, Duration.ofMinutes(1));
        release.countDown();
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.RUNNING);
        plane.start(service);
        plane.stop(service);
        plane.erase(service);
        assertThat(calls).containsExactly("observe", "start", "stop", "erase");
        assertThat(plane.name()).isEqualTo("slow");
        assertThat(plane.endpoints(service)).hasSize(1);
    }

    @Test
    void callThatTakesTooLongIsInterruptedAndBecomesAFault() throws InterruptedException {
        TimeLimitedPlane plane = limited(null, Duration.ofMillis(20));
        assertThatThrownBy(() -> plane.stop(service))
                .isInstanceOf(PlaneFault.class)
                .hasMessageStartingWith("The data plane did not answer within");
        assertThat(returned.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void serviceWhoseCallIsStillOutGetsNoSecondOne() throws InterruptedException {
        TimeLimitedPlane plane = limited(null, Duration.ofMillis(20));
        assertThatThrownBy(() -> plane.start(service)).hasMessageStartingWith("The data plane did not answer");
        assertThatThrownBy(() -> plane.erase(service))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The data plane has not come back from an earlier call");
        assertThat(calls).doesNotContain("erase");
        release.countDown();
        assertThat(returned.await(1, TimeUnit.MINUTES)).isTrue();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!erases(plane) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(calls).contains("erase");
    }

    private boolean erases(DataPlane plane) {
        try {
            plane.erase(service);
            return true;
        } catch (PlaneFault e) {
            return false;
        }
    }

    @Test
    void failuresComeOutAsTheyWere() {
        PlaneFault fault = new PlaneFault("No room");
        assertThatThrownBy(() -> limited(fault, Duration.ofMinutes(1)).observe(service))
                .isSameAs(fault);
        IllegalStateException bug = new IllegalStateException("Bug");
        assertThatThrownBy(() -> limited(bug, Duration.ofMinutes(1)).observe(service))
                .isSameAs(bug);
        AssertionError error = new AssertionError("Worse");
        assertThatThrownBy(() -> limited(error, Duration.ofMinutes(1)).observe(service))
                .isSameAs(error);
    }

    @Test
    void interruptedCallerGetsAFaultAndStaysInterrupted() {
        TimeLimitedPlane plane = limited(null, Duration.ofMinutes(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> plane.stop(service)).hasMessage("The engine is stopping");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closedExecutorIsAFaultAndLeavesNothingOut() {
        TimeLimitedPlane plane = limited(null, Duration.ofMinutes(1));
        executor.shutdown();
        assertThatThrownBy(() -> plane.erase(service)).hasMessage("The engine is stopping");
        assertThatThrownBy(() -> plane.erase(service)).hasMessage("The engine is stopping");
    }
}
