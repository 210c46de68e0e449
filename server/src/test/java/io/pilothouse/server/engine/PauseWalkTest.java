package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedPlane;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes share a store, and one is stopped for longer than its lease, before and after everything it does, one
 * place after another. The other one does the work meanwhile, and the first one changes nothing when it comes back.
 */
class PauseWalkTest {
    private static final int MAX_TURNS = 500;

    private final SimTime time = new SimTime();

    @TempDir
    private Path folder;

    private Fleet fleet;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder, time);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    /** Everything that the store has of a service. */
    private record Rows(Optional<Service> service, List<String> activities, Instant nextDue) {}

    /** A service whose first process is stopped at one of the places it passes. */
    private final class Stopped {
        private final UUID id = UUID.randomUUID();
        private final FakePlane plane = new FakePlane(time, Duration.ofMillis(300), Duration.ofMillis(200));
        private final DispatchLimits limits;
        private final Dispatcher first;
        private final Dispatcher second;
        private final int place;
        private final List<Wish> wishes;
        private final Consumer<UUID> meanwhile;
        private final List<String> passed = new ArrayList<>();
        private Optional<Rows> before = Optional.empty();

        Stopped(DispatchLimits limits, int place, List<Wish> wishes, Consumer<UUID> meanwhile) {
            this.limits = limits;
            this.first = process("first", this::point);
            this.second = process("second", _ -> {});
            this.place = place;
            this.wishes = wishes;
            this.meanwhile = meanwhile;
        }

        private Dispatcher process(String name, Consumer<String> watcher) {
            return ControlPlane.of(new WatchedStore(fleet.store(), watcher), new WatchedPlane(plane, watcher), time)
                    .with(limits)
                    .dispatcher(name);
        }

        private void point(String where) {
            passed.add(where);
            if (passed.size() == place) {
                time.advance(limits.lease().plusSeconds(1));
                meanwhile.accept(id);
                settle(second);
                before = Optional.of(rows());
            }
        }

        private Rows rows() {
            return new Rows(fleet.find(id), fleet.activities(id), fleet.nextDue());
        }

        private void settle(Dispatcher dispatcher) {
            for (int turn = 0; fleet.backlog().due() > 0 || fleet.backlog().unsettled() > 0; turn++) {
                assertThat(turn).as("turns until it settles").isLessThan(MAX_TURNS);
                time.advanceTo(dispatcher.turn());
            }
        }

        /** Lives until it settles, and requires that the first process changed nothing after its pause. */
        void live() {
            fleet.create(id);
            for (Wish wish : wishes) {
                settleFirst();
                if (before.isEmpty()) {
                    fleet.wish(id, wish);
                }
            }
            settleFirst();
        }

        /** Leaves nothing behind that a later life would look at. */
        void end() {
            fleet.find(id).ifPresent(service -> fleet.wish(service.id(), Wish.DELETE));
            settle(second);
        }

        private void settleFirst() {
            for (int turn = 0;
                    before.isEmpty()
                            && (fleet.backlog().due() > 0 || fleet.backlog().unsettled() > 0);
                    turn++) {
                assertThat(turn).as("turns until it settles").isLessThan(MAX_TURNS);
                Instant next = first.turn();
                if (before.isPresent()) {
                    assertThat(rows())
                            .as("stopped at place %s, %s", place, passed.get(place - 1))
                            .isEqualTo(before.get());
                } else {
                    time.advanceTo(next);
                }
            }
        }
    }

    private int places(DispatchLimits limits, List<Wish> wishes) {
        Stopped undisturbed = new Stopped(limits, 0, wishes, _ -> {});
        undisturbed.live();
        undisturbed.end();
        return undisturbed.passed.size();
    }

    private void walk(List<Wish> wishes, Consumer<UUID> meanwhile) {
        walk(DispatchLimits.USUAL, wishes, meanwhile);
        walk(DispatchLimits.SHARED, wishes, meanwhile);
    }

    private void walk(DispatchLimits limits, List<Wish> wishes, Consumer<UUID> meanwhile) {
        int places = places(limits, wishes);
        assertThat(places).isGreaterThan(10);
        int stopped = 0;
        for (int place = 1; place <= places; place++) {
            Stopped life = new Stopped(limits, place, wishes, meanwhile);
            life.live();
            stopped += life.before.isPresent() ? 1 : 0;
            life.end();
        }
        assertThat(stopped).as("the places at which it was stopped").isEqualTo(places);
    }

    @Test
    void processThatComesBackAfterItsLeaseChangesNothing() {
        walk(List.of(Wish.STOP, Wish.RUN), _ -> {});
    }

    @Test
    void wishThatCameMeanwhileIsNotUndoneByTheProcessThatComesBack() {
        walk(
                List.of(Wish.STOP, Wish.RUN),
                id -> fleet.change(
                        id, row -> ServiceSample.withMysql(row, !row.access().mysql())));
    }
}
