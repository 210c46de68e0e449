package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedPlane;
import io.pilothouse.testkit.WatchedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One service from its creation to its end, in a process that is killed where the switch says and started again. What
 * it shows of itself at every rest is its story, and a story must not depend on where the process died.
 */
final class Life {
    private static final int MAX_TURNS = 500;

    /** Looks into the world behind the plane, if there is one; the empty text if not. */
    interface World {
        String describe(UUID serviceId, Optional<Service> row);

        void check(Service service);

        /** A client writes something into it. */
        void write(UUID serviceId);
    }

    private final Fleet fleet;
    private final SimTime time;
    private final Supplier<DataPlane> planes;
    private final World world;
    private final KillSwitch kill;
    private final UUID id = UUID.randomUUID();
    private final List<String> story = new ArrayList<>();
    private Wish wish = Wish.RUN;
    private int deaths;
    private Dispatcher dispatcher;

    Life(Fleet fleet, SimTime time, Supplier<DataPlane> planes, World world, KillSwitch kill) {
        this.fleet = fleet;
        this.time = time;
        this.planes = planes;
        this.world = world;
        this.kill = kill;
        this.dispatcher = start();
    }

    private Dispatcher start() {
        return ControlPlane.of(fleet.store(), planes.get(), time)
                .with(new WatchedStore(fleet.store(), this::point))
                .with(new WatchedPlane(planes.get(), this::point))
                .dispatcher("process " + deaths);
    }

    /** A death between two looks is no other than one before the next change: only changes are places to die at. */
    private void point(String where) {
        if (!where.equals("read") && !where.endsWith("observe")) {
            kill.pass(where);
        }
    }

    /** A life with everything in it. */
    List<String> live() {
        fleet.create(id);
        rest("created");
        wish(Wish.STOP);
        rest("stopped");
        wish(Wish.RUN);
        rest("started");
        fleet.change(id, row -> ServiceSample.withMysql(row, true));
        rest("changed");
        wish(Wish.SLEEP);
        rest("asleep");
        wish(Wish.RUN);
        rest("awake");
        return delete();
    }

    /** A life that ends while it sleeps. */
    List<String> liveShortly() {
        fleet.create(id);
        rest("created");
        wish(Wish.SLEEP);
        rest("asleep");
        return delete();
    }

    /** A life that begins with a backup, which comes over what clients wrote never again. */
    List<String> liveOn(BackupOrigin origin) {
        fleet.create(id, origin);
        rest("restored");
        world.write(id);
        wish(Wish.STOP);
        rest("stopped");
        wish(Wish.RUN);
        rest("started");
        return delete();
    }

    private List<String> delete() {
        wish(Wish.DELETE);
        rest("deleted");
        assertThat(fleet.hasNoTask()).isTrue();
        return List.copyOf(story);
    }

    int deaths() {
        return deaths;
    }

    /** How many places there were to die at. */
    int points() {
        return kill.passed().size();
    }

    private void wish(Wish next) {
        wish = next;
        fleet.wish(id, next);
        time.advance(Duration.ofMillis(1));
    }

    private void rest(String chapter) {
        for (int turn = 0; !settled(); turn++) {
            assertThat(turn).as("turns until it is %s", chapter).isLessThan(MAX_TURNS);
            Instant next = turnOrDie();
            fleet.find(id).ifPresent(this::check);
            time.advanceTo(next);
        }
        story.add(String.join(
                " ",
                chapter,
                fleet.state(id),
                world.describe(id, fleet.find(id)),
                String.join(",", fleet.activities(id))));
    }

    private Instant turnOrDie() {
        try {
            return dispatcher.turn();
        } catch (Killed e) {
            deaths++;
            dispatcher = start();
            return time.now();
        }
    }

    private boolean settled() {
        return fleet.backlog().unsettled() == 0 && fleet.backlog().due() == 0;
    }

    private void check(Service row) {
        assertThat(row.wish()).as("the wish, which only requests change").isEqualTo(wish);
        if (row.state() == ServiceState.RUNNING) {
            assertThat(row.seen().condition()).isEqualTo(Condition.RUNNING);
        }
        world.check(row);
    }
}
