package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.Backup.Trigger;
import io.pilothouse.core.backup.BackupPass;
import io.pilothouse.core.backup.BackupPlan;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass.Ground;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.FakeBackups;
import io.pilothouse.testkit.PassGround;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedBackups;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A store with services whose life is what a test says, and an engine that looks after their backups, turn by turn. */
final class BackupWorld implements AutoCloseable {
    static final UUID ORGANIZATION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final BackupsOfService FOLLOWER = new BackupsOfService();
    private static final int MAX_TURNS = 500;

    final SimTime time = new SimTime();
    final ProofBook book = new ProofBook();
    final FakeBackups backups = new FakeBackups(time, Duration.ofMillis(400));
    private final Store store;

    BackupWorld(Path folder) {
        this(SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE));
    }

    private BackupWorld(Store store) {
        this.store = store;
    }

    /** Another world in the same store, which is empty but for what has ended. */
    BackupWorld next() {
        assertThat(hasTasks()).isFalse();
        return new BackupWorld(store);
    }

    Store store() {
        return store;
    }

    Dispatcher engine() {
        return engine(store, backups);
    }

    /** An engine that may die at each of these points: before and after every change. */
    Dispatcher engine(Consumer<String> point) {
        Consumer<String> changes = where -> {
            if (!where.equals("read")) {
                point.accept(where);
            }
        };
        return engine(new WatchedStore(store, changes), new WatchedBackups(backups, changes));
    }

    private Dispatcher engine(Store through, Backups over) {
        return engine(PassGround.of(through, time, Pace.USUAL), over);
    }

    /** An engine on this ground, over backups that may do anything. */
    Dispatcher engine(Ground ground, Backups over) {
        return engine(ground, over, Duration.ZERO);
    }

    /** The same, with a proof of a backup of each service so often. */
    Dispatcher engine(Ground ground, Backups over, Duration provenEvery) {
        Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            passes.put(kind, claim -> {
                throw new IllegalStateException("This engine looks after backups only: " + claim);
            });
        }
        BackupPlan plan = new BackupPlan(Duration.ofMinutes(10), Pace.USUAL, provenEvery);
        passes.put(Kind.BACKUP, new BackupPass(ground, over, plan, book));
        return new Dispatcher(ground.store(), time, passes, Runnable::run, "test", DispatchLimits.USUAL, Pace.USUAL);
    }

    /** A service that has just come to run. */
    UUID running() {
        Service service = ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, time.now())
                .withSeen(new Seen(Condition.RUNNING, true, "25.8", null, time.now()));
        return store.write(tables -> {
            FOLLOWER.running(tables, service, time.now());
            return tables.of(Service.KIND).insert(service).id();
        });
    }

    /** A service that is to begin with this backup and has not run yet. */
    UUID restoring(UUID backupId) {
        Service plain = ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, time.now());
        return store.write(tables -> {
            Backup backup = tables.of(Backup.KIND).find(backupId).orElseThrow();
            Service service = ServiceSample.beginningWith(plain, new BackupOrigin(backup.serviceId(), backupId));
            tables.of(Backup.KIND).overwrite(backup.restoredBy(service.id(), List.of()));
            return tables.of(Service.KIND).insert(service).id();
        });
    }

    void change(UUID serviceId, UnaryOperator<Service> change) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(serviceId).orElseThrow();
            return tables.of(Service.KIND).overwrite(change.apply(row));
        });
    }

    void sleep(UUID serviceId) {
        change(
                serviceId,
                row -> row.withWish(Wish.SLEEP, time.now())
                        .withSeen(new Seen(Condition.STOPPED, true, "25.8", null, time.now())));
    }

    void wakeUp(UUID serviceId) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(serviceId).orElseThrow();
            Service awake = row.withWish(Wish.RUN, time.now())
                    .withSeen(new Seen(Condition.RUNNING, true, "25.8", null, time.now()));
            FOLLOWER.running(tables, awake, time.now());
            return tables.of(Service.KIND).overwrite(awake);
        });
    }

    void configure(UUID serviceId, int periodHours, int retentionHours) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(serviceId).orElseThrow();
            wake(tables, serviceId);
            return tables.of(Service.KIND)
                    .overwrite(row.withBackups(new BackupConfiguration(periodHours, retentionHours, null)));
        });
    }

    /** The engine has erased it. */
    void remove(UUID serviceId) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(serviceId).orElseThrow();
            FOLLOWER.removed(tables, row, time.now());
            tables.of(Service.KIND).delete(row.id(), row.version());
            return row;
        });
    }

    UUID ask(UUID serviceId) {
        return store.write(tables -> {
            Service row = tables.of(Service.KIND).find(serviceId).orElseThrow();
            wake(tables, serviceId);
            return tables.of(Backup.KIND)
                    .insert(Backup.of(row, UUID.randomUUID(), Trigger.DEMAND, time.now()))
                    .id();
        });
    }

    private void wake(Tables tables, UUID serviceId) {
        tables.tasks().wake(Kind.BACKUP, serviceId, Tasks.Urgency.NEW, time.now());
    }

    List<Backup> of(UUID serviceId) {
        return store.read(tables -> tables.of(Backup.KIND).pageBackwards(serviceId, null, 1_000));
    }

    Backup get(UUID backupId) {
        return store.read(tables -> tables.of(Backup.KIND).find(backupId)).orElseThrow();
    }

    /** The states of a service's backups from the newest on, and how many there really are. */
    String describe(UUID serviceId) {
        return of(serviceId).stream()
                        .map(backup -> backup.trigger() + " " + backup.state() + " " + backup.sizeInBytes())
                        .collect(Collectors.joining(", "))
                + " | " + backups.kept().size();
    }

    /** Takes turns, moving time from one to the next, until nothing is left to do now. */
    void settle(Dispatcher engine) {
        for (int turn = 0; !settled(); turn++) {
            assertThat(turn).as("turns until everything is settled").isLessThan(MAX_TURNS);
            time.advanceTo(engine.turn());
        }
    }

    /** Lets this much time pass, with a turn whenever the engine wants one. */
    void letPass(Dispatcher engine, Duration duration) {
        Instant end = time.now().plus(duration);
        while (time.now().isBefore(end)) {
            engine.turn();
            Instant next = nextDue(end);
            time.advanceTo(next.isBefore(end) ? next : end);
        }
        engine.turn();
    }

    private Instant nextDue(Instant none) {
        return store.read(tables -> tables.tasks().nextDue()).orElse(none);
    }

    boolean settled() {
        Tasks.Backlog backlog = store.read(tables -> tables.tasks().backlog(time.now()));
        return backlog.unsettled() == 0 && backlog.due() == 0;
    }

    boolean hasTasks() {
        return store.read(tables -> tables.tasks().nextDue()).isPresent();
    }

    @Override
    public void close() {
        store.close();
    }
}
