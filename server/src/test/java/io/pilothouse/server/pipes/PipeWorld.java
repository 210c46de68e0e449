package io.pilothouse.server.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass.Ground;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeDesign;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.core.pipe.PipePass;
import io.pilothouse.core.pipe.PipePlan;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpointPass;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.PassGround;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A store with pipes in it, and an engine that looks after them, turn by turn. */
final class PipeWorld implements AutoCloseable {
    static final UUID SERVICE = UUID.fromString("22222222-2222-4222-8222-222222222222");
    static final UUID ORGANIZATION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final int MAX_TURNS = 500;

    final SimTime time;
    private final Store store;

    PipeWorld(Path folder, SimTime time) {
        this.time = time;
        this.store = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE);
    }

    Store store() {
        return store;
    }

    Dispatcher engine(Store through, Outside outside) {
        return engine(PassGround.of(through, time, Pace.USUAL), outside);
    }

    Dispatcher engine(Ground ground, Outside outside) {
        Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            passes.put(kind, claim -> {
                throw new IllegalStateException("This engine looks after pipes only: " + claim);
            });
        }
        passes.put(Kind.PIPE, new PipePass(ground, outside.runner(), new PipePlan(Pace.USUAL)));
        passes.put(
                Kind.REVERSE_PRIVATE_ENDPOINT,
                new ReversePrivateEndpointPass(
                        ground, outside.endpoints(), new ReversePrivateEndpointPlan(Pace.USUAL)));
        return new Dispatcher(ground.store(), time, passes, Runnable::run, "test", DispatchLimits.USUAL, Pace.USUAL);
    }

    /** Takes turns, moving time from one to the next, until nothing is left to do. */
    void settle(Dispatcher engine) {
        for (int turn = 0; !settled(); turn++) {
            assertThat(turn).as("turns until everything is settled").isLessThan(MAX_TURNS);
            time.advanceTo(engine.turn());
        }
    }

    boolean settled() {
        Tasks.Backlog backlog = store.read(tables -> tables.tasks().backlog(time.now()));
        return backlog.unsettled() == 0 && backlog.due() == 0;
    }

    boolean hasTasks() {
        return store.read(tables -> tables.tasks().nextDue()).isPresent();
    }

    Pipe create(String kind, Tree.Members source) {
        Faults faults = new Faults();
        PipeDraft draft = new PipeDraft(
                "pipe", new Tree.Members(Map.of(kind, source)), Tree.Members.NONE, null, null, null, null);
        Pipe pipe = new PipeDesign(RuleBook.of(Edition.SEED), faults)
                .create(UUID.randomUUID(), SERVICE, ORGANIZATION, draft, time.now())
                .orElseThrow()
                .pipe();
        return store.write(tables -> {
            tables.tasks().wake(Kind.PIPE, pipe.id(), Tasks.Urgency.NEW, time.now());
            return tables.of(Pipe.KIND).insert(pipe);
        });
    }

    Optional<Pipe> find(UUID id) {
        return store.read(tables -> tables.of(Pipe.KIND).find(id));
    }

    void change(UUID id, UnaryOperator<Pipe> change) {
        store.write(tables -> {
            Pipe row = tables.of(Pipe.KIND).find(id).orElseThrow();
            tables.tasks().wake(Kind.PIPE, id, Tasks.Urgency.CHANGED, time.now());
            return tables.of(Pipe.KIND)
                    .replace(change.apply(row), row.version())
                    .orElseThrow();
        });
    }

    ReversePrivateEndpoint connect(String serviceName) {
        ReversePrivateEndpoint endpoint = new ReversePrivateEndpoint(
                Head.of(UUID.randomUUID(), SERVICE, time.now()),
                ORGANIZATION,
                "endpoint",
                ReversePrivateEndpoint.Type.VPC_ENDPOINT_SERVICE,
                serviceName,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                ReversePrivateEndpoint.Status.PROVISIONING,
                false,
                time.now());
        return store.write(tables -> {
            wakeEndpoint(tables, endpoint.id());
            return tables.of(ReversePrivateEndpoint.KIND).insert(endpoint);
        });
    }

    Optional<ReversePrivateEndpoint> findEndpoint(UUID id) {
        return store.read(tables -> tables.of(ReversePrivateEndpoint.KIND).find(id));
    }

    void deleteEndpoint(UUID id) {
        store.write(tables -> {
            ReversePrivateEndpoint row =
                    tables.of(ReversePrivateEndpoint.KIND).find(id).orElseThrow();
            wakeEndpoint(tables, id);
            return tables.of(ReversePrivateEndpoint.KIND)
                    .replace(row.asDeleted(time.now()), row.version())
                    .orElseThrow();
        });
    }

    private void wakeEndpoint(Tables tables, UUID id) {
        tables.tasks().wake(Kind.REVERSE_PRIVATE_ENDPOINT, id, Tasks.Urgency.NEW, time.now());
    }

    @Override
    public void close() {
        store.close();
    }
}
