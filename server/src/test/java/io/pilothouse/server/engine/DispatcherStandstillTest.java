package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that does nothing, although it should, says so. */
class DispatcherStandstillTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SimTime time = new SimTime();
    private final FakePlane plane = new FakePlane(time, Duration.ZERO, Duration.ZERO);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch release = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private Fleet fleet;
    private ControlPlane controlPlane;
    private @Nullable Dispatcher begun;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder, time);
        controlPlane = ControlPlane.of(fleet.store(), plane, time).withPoll(Duration.ofMillis(5));
    }

    @AfterEach
    void close() throws InterruptedException {
        release.countDown();
        if (begun != null) {
            begun.stop(LONG);
        }
        executor.close();
        fleet.close();
    }

    @Test
    void engineThatWorksSaysSoAndOneWithoutItsLoopDoesToo() throws InterruptedException {
        assertThat(controlPlane.dispatcher("never begun").standstill(LONG)).contains("its loop does not run");
        Dispatcher dispatcher = begun(controlPlane);
        until(() -> dispatcher.standstill(LONG).isEmpty());
        assertThat(dispatcher.stop(LONG)).isTrue();
        assertThat(dispatcher.standstill(LONG)).contains("its loop does not run");
    }

    @Test
    void engineThatIsStuckInARoundSaysForHowLong() throws InterruptedException {
        AtomicBoolean stuck = new AtomicBoolean(true);
        CountDownLatch inside = new CountDownLatch(1);
        Dispatcher dispatcher = begun(controlPlane.with(new WatchedStore(fleet.store(), where -> {
            if (stuck.get()) {
                inside.countDown();
                await(release);
            }
        })));
        assertThat(inside.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Duration round = Duration.ofMillis(50);
        until(() -> dispatcher.standstill(round).isPresent());
        assertThat(dispatcher.standstill(round).orElseThrow()).matches("it has not looked for work for \\d+ s");
        Duration before = dispatcher.sinceLastRound();
        assertThat(dispatcher.sinceLastRound()).isGreaterThanOrEqualTo(before);
        stuck.set(false);
        release.countDown();
        until(() -> dispatcher.standstill(LONG).isEmpty()
                && dispatcher.sinceLastRound().compareTo(before) < 0);
        assertThat(dispatcher.stop(LONG)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Dispatcher begun(ControlPlane made) {
        Dispatcher dispatcher = made.with(executor).dispatcher("one");
        dispatcher.start();
        begun = dispatcher;
        return dispatcher;
    }

    private static void until(BooleanSupplier met) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!met.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited long enough").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
