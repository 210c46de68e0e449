package io.pilothouse.server.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipeLivesTest {
    private static final Duration PHASE = Duration.ofSeconds(1);
    private static final Tree.Members KAFKA =
            new Tree.Members(Map.of("brokers", new Tree.Text("b:9092"), "topics", new Tree.Text("t")));

    @TempDir
    private Path folder;

    private PipeWorld world;

    @BeforeEach
    void open() {
        world = new PipeWorld(folder, new SimTime());
    }

    @AfterEach
    void close() {
        world.close();
    }

    private Outside simulated() {
        return Outside.simulated(world.time, PHASE);
    }

    private Dispatcher engine() {
        return world.engine(world.store(), simulated());
    }

    @Test
    void aStreamRunsStopsAndRunsAgain() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        assertThat(pipe.state()).isEqualTo(PipeState.PROVISIONING);
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.RUNNING);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 0, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.STOPPED);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.RUN, 0, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.RUNNING);
    }

    @Test
    void aPipeThatNoWorkerServesSaysSo() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = world.engine(world.store(), Outside.unserved(world.time, PHASE));
        assertThat(states(engine, pipe.id())).containsExactly(PipeState.PROVISIONING, PipeState.FAILED);
        assertThat(world.find(pipe.id()).orElseThrow().seen().trouble())
                .isEqualTo("This server was started without its pipe workers, so nothing reads from Kafka");
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 0, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.STOPPED);
        assertThat(world.find(pipe.id()).orElseThrow().seen().trouble()).isNull();
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.RUN, 0, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.FAILED);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.DELETE, 0, world.time.now()));
        world.settle(engine);
        assertThat(world.find(pipe.id())).isEmpty();
        assertThat(world.hasTasks()).isFalse();
    }

    @Test
    void filesThatAreReadOnceComplete() {
        Pipe pipe = world.create("objectStorage", new Tree.Members(Map.of("url", new Tree.Text("https://b/*"))));
        assertThat(settled(engine(), pipe.id())).isEqualTo(PipeState.COMPLETED);
    }

    @Test
    void aDatabaseIsSetUpCopiedFollowedAndResynced() {
        Pipe pipe = database("cdc");
        Dispatcher engine = engine();
        assertThat(states(engine, pipe.id()))
                .containsExactly(PipeState.PROVISIONING, PipeState.SETUP, PipeState.SNAPSHOT, PipeState.RUNNING);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.RUN, 1, world.time.now()));
        assertThat(states(engine, pipe.id())).endsWith(PipeState.SNAPSHOT, PipeState.RUNNING);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 1, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.PAUSED);
    }

    @Test
    void theOtherWaysToReplicateHaveTheirOwnPhases() {
        assertThat(states(engine(), database("cdc_only").id())).doesNotContain(PipeState.SNAPSHOT);
        assertThat(states(engine(), database("snapshot").id())).endsWith(PipeState.SNAPSHOT, PipeState.COMPLETED);
        Pipe changesOnly = database("cdc_only");
        Dispatcher engine = engine();
        world.settle(engine);
        world.change(changesOnly.id(), row -> row.withWant(Pipe.Wish.RUN, 1, world.time.now()));
        assertThat(states(engine, changesOnly.id())).contains(PipeState.SNAPSHOT);
    }

    @Test
    void aChangeIsTakenUpWithoutAnInterruption() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        world.settle(engine);
        rename(pipe.id());
        assertThat(states(engine, pipe.id())).containsExactly(PipeState.MODIFYING, PipeState.RUNNING);
    }

    @Test
    void aPipeThatHasLongRunDoesNotFailForAMomentWhenItIsChanged() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        world.settle(engine);
        world.time.advance(Duration.ofHours(2));
        rename(pipe.id());
        assertThat(states(engine, pipe.id())).containsExactly(PipeState.MODIFYING, PipeState.RUNNING);
    }

    @Test
    void manyChangesInARowDoNotMakeTheNextWaitForLong() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        for (int change = 0; change < 20; change++) {
            rename(pipe.id());
            engine.turn();
        }
        Instant before = world.time.now();
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 0, world.time.now()));
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.STOPPED);
        assertThat(Duration.between(before, world.time.now())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aDeletedPipeLeavesNothing() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        world.settle(engine);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.DELETE, 0, world.time.now()));
        world.settle(engine);
        assertThat(world.find(pipe.id())).isEmpty();
        assertThat(world.hasTasks()).isFalse();
    }

    @Test
    void aRestartMovesNothingThatIsSettledAndContinuesTheRest() {
        Pipe running = world.create("kafka", KAFKA);
        world.settle(engine());
        Pipe fresh = world.create("kafka", KAFKA);
        engine().turn();
        Dispatcher restarted = engine();
        assertThat(states(restarted, fresh.id())).endsWith(PipeState.RUNNING);
        assertThat(world.find(running.id()).orElseThrow().state()).isEqualTo(PipeState.RUNNING);
    }

    @Test
    void aPipeThatNeverGetsThereShowsItAndIsTriedOn() {
        Pipe pipe = world.create("kafka", KAFKA);
        List<Boolean> broken = new ArrayList<>(List.of(true));
        Dispatcher engine = world.engine(world.store(), simulated().watched(moment -> {
            if (broken.getFirst() && moment.equals("before start")) {
                throw new PlaneFault("no room");
            }
        }));
        while (world.find(pipe.id()).orElseThrow().state() != PipeState.FAILED) {
            world.time.advanceTo(engine.turn());
        }
        assertThat(world.find(pipe.id()).orElseThrow().seen().trouble()).isEqualTo("no room");
        broken.set(0, false);
        assertThat(settled(engine, pipe.id())).isEqualTo(PipeState.RUNNING);
        assertThat(world.find(pipe.id()).orElseThrow().seen().trouble()).isNull();
    }

    @Test
    void anUnseenPipeKeepsTheLastSight() {
        Pipe pipe = world.create("kafka", KAFKA);
        Dispatcher engine = engine();
        world.settle(engine);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.RUN, 0, world.time.now()));
        Dispatcher blind = world.engine(world.store(), simulated().watched(moment -> {
            throw new PlaneFault("no view");
        }));
        blind.turn();
        Pipe row = world.find(pipe.id()).orElseThrow();
        assertThat(row.seen().phase()).isEqualTo(PipePhase.RUNNING);
    }

    @Test
    void aReversePrivateEndpointBecomesReadyOrWaitsAndIsDeleted() {
        ReversePrivateEndpoint ready = world.connect("com.amazonaws.vpce.us-east-1.vpce-svc-1");
        ReversePrivateEndpoint waiting = world.connect("vpce-svc-pending-acceptance");
        Dispatcher engine = engine();
        world.settle(engine);
        assertThat(world.findEndpoint(ready.id()).orElseThrow().status()).isEqualTo(Status.READY);
        assertThat(world.findEndpoint(waiting.id()).orElseThrow().status()).isEqualTo(Status.PENDING_ACCEPTANCE);
        world.deleteEndpoint(ready.id());
        world.deleteEndpoint(waiting.id());
        world.settle(engine());
        assertThat(world.findEndpoint(ready.id())).isEmpty();
        assertThat(world.hasTasks()).isFalse();
    }

    @Test
    void aReversePrivateEndpointThatCannotBeConnectedIsTriedOn() {
        ReversePrivateEndpoint endpoint = world.connect("svc");
        List<String> moments = new ArrayList<>();
        Dispatcher engine = world.engine(world.store(), simulated().watched(moment -> {
            moments.add(moment);
            if (moments.size() < 6 && moment.equals("before connect")) {
                throw new PlaneFault("no room");
            }
        }));
        world.settle(engine);
        assertThat(world.findEndpoint(endpoint.id()).orElseThrow().status()).isEqualTo(Status.READY);
        assertThat(moments.stream().filter("before connect"::equals)).hasSizeGreaterThan(1);
    }

    /** Killed before and after everything it does, one place after another, the process comes to the same end. */
    @Test
    void aDeathAnywhereLeadsToTheSameEnd() {
        int points = walk(Set.of());
        assertThat(points).isGreaterThan(20);
        for (int point = 1; point <= points; point++) {
            walk(Set.of(point));
        }
    }

    private int walk(Set<Integer> fatal) {
        KillSwitch kill = new KillSwitch(fatal);
        Outside outside = simulated();
        Pipe pipe = world.create("kafka", KAFKA);
        ReversePrivateEndpoint endpoint = world.connect("svc");
        surviving(kill, outside);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.RUNNING);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 0, world.time.now()));
        surviving(kill, outside);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.STOPPED);
        world.change(pipe.id(), row -> row.withWant(Pipe.Wish.DELETE, 0, world.time.now()));
        world.deleteEndpoint(endpoint.id());
        surviving(kill, outside);
        assertThat(world.find(pipe.id())).isEmpty();
        assertThat(world.findEndpoint(endpoint.id())).isEmpty();
        assertThat(world.hasTasks()).isFalse();
        return kill.passed().size();
    }

    private void surviving(KillSwitch kill, Outside outside) {
        while (!world.settled()) {
            Dispatcher engine = world.engine(
                    new WatchedStore(world.store(), where -> pass(kill, where)),
                    outside.watched(where -> pass(kill, where)));
            try {
                while (!world.settled()) {
                    world.time.advanceTo(engine.turn());
                }
            } catch (Killed died) {
                assertThat(died).as("the next process finds what this one left").isNotNull();
            }
        }
    }

    private static void pass(KillSwitch kill, String where) {
        if (!where.equals("read") && !where.equals("observe")) {
            kill.pass(where);
        }
    }

    private void rename(UUID id) {
        world.change(
                id,
                row -> row.withConfiguration(
                        new Pipe.Configuration(
                                row.name() + "x",
                                row.source(),
                                null,
                                row.destination(),
                                row.fieldMappings(),
                                row.settings(),
                                row.scaling()),
                        world.time.now()));
    }

    private Pipe database(String mode) {
        return world.create(
                "postgres",
                new Tree.Members(Map.of(
                        "host", new Tree.Text("db"),
                        "database", new Tree.Text("app"),
                        "settings", new Tree.Members(Map.of("replicationMode", new Tree.Text(mode))))));
    }

    private PipeState settled(Dispatcher engine, UUID id) {
        world.settle(engine);
        return world.find(id).orElseThrow().state();
    }

    /** The states that a client would see one after another until it is settled. */
    private List<PipeState> states(Dispatcher engine, UUID id) {
        List<PipeState> states =
                new ArrayList<>(List.of(world.find(id).orElseThrow().state()));
        while (!world.settled()) {
            world.time.advanceTo(engine.turn());
            PipeState state = world.find(id).orElseThrow().state();
            if (state != states.getLast()) {
                states.add(state);
            }
        }
        return states;
    }
}
