package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine's questions to the store, and its behaviour when the store does not answer. */
class DispatcherStoreTest {
    private final SimTime time = new SimTime();
    private final FakePlane plane = new FakePlane(time, Duration.ZERO, Duration.ZERO);

    @TempDir
    private Path folder;

    private Fleet fleet;
    private ControlPlane controlPlane;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder, time);
        controlPlane = ControlPlane.of(fleet.store(), plane, time);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void engineOutlivesAnOutageOfTheStore() {
        AtomicBoolean out = new AtomicBoolean(true);
        WatchedStore store = new WatchedStore(fleet.store(), where -> {
            if (out.get()) {
                throw new StoreUnavailable("No space left on the disk", new IllegalStateException());
            }
        });
        fleet.create(0, 3);
        Dispatcher dispatcher = controlPlane.with(store).dispatcher("one");
        Instant first = dispatcher.turn();
        assertThat(first).isEqualTo(time.now().plusMillis(100));
        for (int turn = 0; turn < 20; turn++) {
            time.advanceTo(dispatcher.turn());
        }
        assertThat(plane.effects()).isEmpty();
        out.set(false);
        for (int turn = 0; turn < 20; turn++) {
            time.advanceTo(dispatcher.turn());
        }
        assertThat(fleet.state(Fleet.id(2))).isEqualTo("running");
    }

    @Test
    void passThatCannotRecordIsRunAgain() {
        AtomicBoolean out = new AtomicBoolean();
        WatchedStore store = new WatchedStore(fleet.store(), where -> {
            if (out.get()) {
                throw new StoreUnavailable("No space left on the disk", new IllegalStateException());
            }
        });
        plane.trap((deed, service, done) -> out.set((deed == Deed.START && done) || out.get()));
        fleet.create(0, 1);
        Dispatcher dispatcher = controlPlane.with(store).dispatcher("one");
        dispatcher.turn();
        assertThat(plane.effects()).hasSize(1);
        plane.trap((deed, service, done) -> {});
        out.set(false);
        for (int turn = 0; turn < 20; turn++) {
            time.advanceTo(dispatcher.turn());
        }
        assertThat(fleet.state(Fleet.id(0))).isEqualTo("running");
        assertThat(fleet.activities(Fleet.id(0))).containsExactly("service_running");
    }

    @Test
    void idleEngineReadsOnceAPollAndWritesNothing() {
        WatchedStore store = new WatchedStore(fleet.store(), where -> {});
        Dispatcher dispatcher =
                controlPlane.with(store).withRoutine(Duration.ofDays(1)).dispatcher("one");
        fleet.create(0, 5);
        Instant hour = time.now().plus(Duration.ofHours(1));
        time.advanceTo(dispatcher.turn());
        time.advanceTo(dispatcher.turn());
        assertThat(fleet.backlog().unsettled()).isZero();
        long reads = store.reads();
        long writes = store.writes();
        while (time.now().isBefore(hour)) {
            time.advanceTo(dispatcher.turn());
        }
        assertThat(store.writes()).isEqualTo(writes);
        assertThat(store.reads() - reads)
                .isBetween(
                        1L, hour.getEpochSecond() / DispatchLimits.USUAL.poll().toSeconds());
        assertThat(store.reads() - reads).isLessThanOrEqualTo(722);
    }
}
