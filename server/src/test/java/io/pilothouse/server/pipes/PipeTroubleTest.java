package io.pilothouse.server.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.server.log.PassLog;
import io.pilothouse.testkit.CallThreads;
import io.pilothouse.testkit.PassGround;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipes and reverse private endpoints whose adapters hang, or fail in ways they do not declare. */
class PipeTroubleTest {
    private static final String UNEXPECTED = "The data plane failed unexpectedly; the log has the details";

    @TempDir
    private Path folder;

    private PipeWorld world;
    private final PassLog log = new PassLog();
    private final CallThreads threads = new CallThreads();

    @BeforeEach
    void open() {
        world = new PipeWorld(folder, new SimTime());
    }

    @AfterEach
    void close() throws InterruptedException {
        log.close();
        threads.letGo();
        world.close();
    }

    private Pipe create() {
        return world.create(
                "kafka", new Tree.Members(Map.of("brokers", new Tree.Text("b:9092"), "topics", new Tree.Text("t"))));
    }

    private Outside failing(Outside.Watcher watcher) {
        return Outside.simulated(world.time, Duration.ofSeconds(1)).watched(watcher);
    }

    private @Nullable String trouble(UUID pipe) {
        return world.find(pipe).orElseThrow().seen().trouble();
    }

    @Test
    void aRunnerThatHangsIsShownAskedNothingMoreAndTriedAgain() throws InterruptedException {
        Pipe pipe = create();
        AtomicInteger starts = new AtomicInteger();
        Dispatcher engine = world.engine(PassGround.of(world.store(), world.time, threads), failing(moment -> {
            if (moment.equals("before start") && starts.incrementAndGet() == 1) {
                threads.hang();
            }
        }));
        world.time.advanceTo(engine.turn());
        assertThat(trouble(pipe.id())).startsWith("The data plane did not answer within");
        world.time.advanceTo(engine.turn());
        assertThat(trouble(pipe.id())).isEqualTo("The data plane has not come back from an earlier call");
        assertThat(starts).hasValue(1);
        threads.letGo();
        world.settle(engine);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.RUNNING);
        assertThat(trouble(pipe.id())).isNull();
    }

    @Test
    void aBugInARunnerIsShownLoggedSparinglyAndTriedAgain() {
        Pipe pipe = create();
        AtomicInteger starts = new AtomicInteger();
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("before start") && starts.incrementAndGet() <= 8) {
                throw new IllegalStateException("secret detail");
            }
        }));
        world.time.advanceTo(engine.turn());
        assertThat(trouble(pipe.id())).isEqualTo(UNEXPECTED);
        world.settle(engine);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.RUNNING);
        assertThat(starts).hasValue(9);
        assertLoggedSparingly();
    }

    /** Eight tries of which the first and then each doubling is logged, each with its cause. */
    private void assertLoggedSparingly() {
        assertThat(log.failures())
                .containsExactly(
                        "error " + UNEXPECTED + " (try 1): secret detail",
                        "error " + UNEXPECTED + " (try 2): secret detail",
                        "error " + UNEXPECTED + " (try 4): secret detail",
                        "error " + UNEXPECTED + " (try 8): secret detail");
    }

    @Test
    void aBugInALookIsShownLoggedSparinglyAndTriedAgain() {
        Pipe pipe = create();
        AtomicInteger looks = new AtomicInteger();
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("observe") && looks.incrementAndGet() <= 8) {
                throw new IllegalStateException("secret detail");
            }
        }));
        world.time.advanceTo(engine.turn());
        assertThat(trouble(pipe.id())).isEqualTo(UNEXPECTED);
        world.settle(engine);
        assertThat(trouble(pipe.id())).isNull();
        assertLoggedSparingly();
    }

    @Test
    void aRowThatSaysTheSameIsNotWritten() {
        Pipe pipe = create();
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            throw new IllegalStateException("secret detail");
        }));
        world.time.advanceTo(engine.turn());
        long version = world.find(pipe.id()).orElseThrow().version();
        world.time.advanceTo(engine.turn());
        world.time.advanceTo(engine.turn());
        assertThat(world.find(pipe.id()).orElseThrow().version()).isEqualTo(version);
    }

    @Test
    void aComplaintAboutAWishIsNotHeldAgainstTheNextOne() {
        Pipe pipe = create();
        AtomicBoolean changed = new AtomicBoolean();
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("before start") && changed.compareAndSet(false, true)) {
                world.change(pipe.id(), row -> row.withWant(Pipe.Wish.STOP, 0, world.time.now()));
                throw new IllegalStateException("secret detail");
            }
        }));
        engine.turn();
        assertThat(trouble(pipe.id())).isNull();
        world.settle(engine);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.STOPPED);
    }

    @Test
    void aDeadlineIsShownWhenItIsDueAndNotWhenTheNextTryHappensToBe() {
        Pipe pipe = create();
        Instant due = world.time.now().plus(Duration.ofMinutes(15));
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("before start")) {
                throw new IllegalStateException("secret detail");
            }
        }));
        turnUntil(engine, due);
        assertThat(world.find(pipe.id()).orElseThrow().state()).isNotEqualTo(PipeState.FAILED);
        assertThat(world.time.now()).isEqualTo(due);
        engine.turn();
        assertThat(world.find(pipe.id()).orElseThrow().state()).isEqualTo(PipeState.FAILED);
    }

    private void turnUntil(Dispatcher engine, Instant moment) {
        while (world.time.now().isBefore(moment)) {
            world.time.advanceTo(engine.turn());
        }
    }

    private Status status(UUID endpoint) {
        return world.findEndpoint(endpoint).orElseThrow().status();
    }

    @Test
    void aReversePrivateEndpointThatHangsIsAskedNothingMoreAndTriedAgain() throws InterruptedException {
        ReversePrivateEndpoint endpoint = world.connect("svc");
        AtomicInteger attempts = new AtomicInteger();
        Dispatcher engine = world.engine(PassGround.of(world.store(), world.time, threads), failing(moment -> {
            if (moment.equals("before connect") && attempts.incrementAndGet() == 1) {
                threads.hang();
            }
        }));
        Instant due = world.time.now().plus(Duration.ofMinutes(15));
        turnUntil(engine, due);
        assertThat(status(endpoint.id())).isEqualTo(Status.PROVISIONING);
        engine.turn();
        assertThat(status(endpoint.id())).isEqualTo(Status.FAILED);
        assertThat(attempts).hasValue(1);
        assertThat(log.failures().getFirst()).startsWith("warning The data plane did not answer within");
        threads.letGo();
        world.settle(engine);
        assertThat(status(endpoint.id())).isEqualTo(Status.READY);
    }

    @Test
    void aBugUnderAReversePrivateEndpointIsShownLoggedSparinglyAndTriedAgain() {
        ReversePrivateEndpoint endpoint = world.connect("svc");
        AtomicBoolean broken = new AtomicBoolean(true);
        AtomicInteger attempts = new AtomicInteger();
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("before connect") && broken.get()) {
                attempts.incrementAndGet();
                throw new IllegalStateException("secret detail");
            }
        }));
        Instant begun = world.time.now();
        turnUntil(engine, begun.plus(Duration.ofMinutes(2)));
        assertThat(attempts).hasValue(8);
        assertLoggedSparingly();
        turnUntil(engine, begun.plus(Duration.ofMinutes(16)));
        assertThat(status(endpoint.id())).isEqualTo(Status.FAILED);
        broken.set(false);
        world.settle(engine);
        assertThat(status(endpoint.id())).isEqualTo(Status.READY);
    }

    @Test
    void aDeletionIsNotSlowedDownByWhatFailedBeforeIt() {
        ReversePrivateEndpoint endpoint = world.connect("svc");
        Dispatcher engine = world.engine(world.store(), failing(moment -> {
            if (moment.equals("before connect")) {
                throw new IllegalStateException("secret detail");
            }
        }));
        turnUntil(engine, world.time.now().plus(Duration.ofMinutes(10)));
        Instant deleted = world.time.now();
        world.deleteEndpoint(endpoint.id());
        world.settle(engine);
        assertThat(world.findEndpoint(endpoint.id())).isEmpty();
        assertThat(Duration.between(deleted, world.time.now())).isLessThan(Duration.ofSeconds(10));
    }
}
