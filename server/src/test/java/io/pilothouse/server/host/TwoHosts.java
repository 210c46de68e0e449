package io.pilothouse.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostOperations;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.FakeBackups;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One service and two hosts over one store. The process of each host dies where the switch says and starts again; the
 * databases, the marks on the disks and the bucket outlive it. After every turn the service is in one place.
 */
final class TwoHosts implements AutoCloseable {
    private static final Duration COPIES_WITHIN = Duration.ofSeconds(2);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration AN_HOUR = Duration.ofHours(1);

    private final SimTime time = new SimTime();
    private final UUID id = UUID.randomUUID();
    private final FakeBackups bucket = new FakeBackups(time, COPIES_WITHIN);
    private final Map<UUID, Long> copied = new HashMap<>();
    private final Set<ServiceState> states = EnumSet.noneOf(ServiceState.class);
    private final KillSwitch kill;
    private final Store store;
    private final HostProcess alpha;
    private final HostProcess beta;
    private int deaths;
    private long written;

    TwoHosts(Path folder, KillSwitch kill) {
        this.kill = kill;
        this.store =
                SqliteStore.open(folder, Thread.ofPlatform().name("writer-", 0).factory(), StoreMetrics.NONE);
        this.alpha = new HostProcess(host("alpha"), store, time, bucket, this::point, this::copied);
        this.beta = new HostProcess(host("beta"), store, time, bucket, this::point, this::copied);
    }

    private Host host(String name) {
        Head head = Head.own(UUID.randomUUID(), time.now());
        return new Host(head, name, name, new Host.Room(9, 20_000, 20_299), time.now(), time.now(), false, false);
    }

    /** A death between two looks is no other than one before the next change: only changes are places to die at. */
    private void point(String where) {
        if (!where.equals("read") && !where.contains("observe") && !where.equals("refusal")) {
            kill.pass(where);
        }
    }

    /** A backup has what its service has when it is begun. */
    private void copied(UUID backupId, long data) {
        copied.put(backupId, data);
    }

    HostProcess alpha() {
        return alpha;
    }

    HostProcess beta() {
        return beta;
    }

    FakeBackups bucket() {
        return bucket;
    }

    HostOperations operations() {
        return new HostOperations(store, time, () -> {});
    }

    UUID id() {
        return id;
    }

    Instant now() {
        return time.now();
    }

    int deaths() {
        return deaths;
    }

    int points() {
        return kill.passed().size();
    }

    /** Every state that clients saw since the service last ran on alpha. */
    Set<ServiceState> states() {
        return states;
    }

    Service row() {
        return find().orElseThrow();
    }

    private Optional<Service> find() {
        return store.read(tables -> tables.of(Service.KIND).find(id));
    }

    void change(Consumer<Tables> change) {
        store.change(change);
    }

    void create() {
        alpha.beat();
        beta.beat();
        change(tables -> {
            Service wanted = ServiceSample.wanted(id, UUID.randomUUID(), time.now());
            tables.of(Service.KIND).insert(wanted.withHost(alpha.host().ofService()));
            tables.tasks().wake(Tasks.Kind.SERVICE, id, Tasks.Urgency.NEW, time.now());
        });
    }

    /** A client writes into it for the last time. */
    void write() {
        alpha.write(id);
        written = alpha.data();
        states.clear();
    }

    /** What was written last, as a host has it: a restored backup of it is as good. */
    long written() {
        BackupOrigin origin = row().fixed().origin();
        if (origin == null) {
            return written;
        }
        assertThat(copied).as("what its backup has").containsEntry(origin.backupId(), written);
        return FakePlane.dataOf(origin);
    }

    void wish(Wish wish) {
        change(tables -> {
            tables.of(Service.KIND).overwrite(row(tables).withWish(wish, time.now()));
            tables.tasks().wake(Tasks.Kind.SERVICE, id, Tasks.Urgency.CHANGED, time.now());
        });
    }

    private Service row(Tables tables) {
        return tables.of(Service.KIND).find(id).orElseThrow();
    }

    void drainAlpha(boolean drained) {
        operations().drain(alpha.id(), drained);
    }

    void awaitRow(Predicate<Service> wanted, int maxTurns) {
        for (int turn = 0; !wanted.test(row()); turn++) {
            assertThat(turn).as("%s, deaths %d", row(), deaths).isLessThan(maxTurns);
            turn();
        }
    }

    void awaitGone(int maxTurns) {
        for (int turn = 0;
                find().isPresent()
                        || alpha.condition() != Condition.ABSENT
                        || !alpha.marked().isEmpty();
                turn++) {
            assertThat(turn).isLessThan(maxTurns);
            turn();
        }
    }

    void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            turn();
        }
    }

    private void turn() {
        time.advance(TURN);
        alpha.beat();
        beta.beat();
        // This kind of store gives tasks of hosts to nobody, so the one whose turn it is takes them as anybody's.
        Optional<Service> before = find();
        change(tables -> tables.tasks().endLeases(time.now(), time.now().plus(AN_HOUR)));
        before.ifPresent(row -> liveOrDie(processOf(row), HostProcess::work));
        find().ifPresent(_ -> change(tables -> HostPlaces.assign(tables, row(tables))));
        for (HostProcess each : List.of(alpha, beta)) {
            liveOrDie(each, HostProcess::move);
            check();
        }
    }

    private HostProcess processOf(Service row) {
        return alpha.id().equals(row.hostId()) ? alpha : beta;
    }

    private interface Deed {
        void of(HostProcess process) throws PlaneFault;
    }

    private void liveOrDie(HostProcess process, Deed deed) {
        try {
            deed.of(process);
        } catch (Killed died) {
            deaths++;
            process.restart();
            bucket.interrupt();
        } catch (PlaneFault notNow) {
            // The next turn tries again.
        }
        check();
    }

    private void check() {
        Optional<Service> found = find();
        assertThat(alpha.runs() && beta.runs())
                .as("two databases of one service")
                .isFalse();
        found.ifPresent(row -> states.add(row.state()));
        if (written == 0 || found.isEmpty() || found.get().wish() == Wish.DELETE) {
            return;
        }
        Service row = found.get();
        assertThat(row.seen().condition()).isNotEqualTo(Condition.LOST);
        if (row.isArriving()) {
            Optional<Backup> kept =
                    store.read(tables -> Optional.ofNullable(row.fixed().origin())
                            .flatMap(origin -> tables.of(Backup.KIND).find(origin.backupId())));
            assertThat(kept).hasValueSatisfying(backup -> {
                assertThat(backup.state()).isEqualTo(Backup.State.DONE);
                assertThat(bucket.kept()).contains(backup.id());
            });
        } else {
            assertThat(processOf(row).data())
                    .as("data of a service that was not deleted")
                    .isEqualTo(written());
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
