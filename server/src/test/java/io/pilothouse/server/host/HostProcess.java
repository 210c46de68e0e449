package io.pilothouse.server.host;

import io.pilothouse.core.backup.BackupPass;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.PlannedPass.Ground;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostMoves;
import io.pilothouse.core.host.HostWatch;
import io.pilothouse.core.host.Leaving;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Departure.Stage;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.FakeBackups;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.PassGround;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedBackups;
import io.pilothouse.testkit.WatchedPlane;
import io.pilothouse.testkit.WatchedStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The process of one host, with the databases and the marks of its machine, which outlive it. */
final class HostProcess {
    private static final Duration START_TIME = Duration.ofSeconds(2);
    private static final Duration STOP_TIME = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final int ALL_TASKS = 10;

    private final Host host;
    private final Store store;
    private final SimTime time;
    private final FakeBackups bucket;
    private final Consumer<String> point;
    private final BiConsumer<UUID, Long> copied;
    private final FakePlane databases;
    private final Map<UUID, UUID> marks = new HashMap<>();
    private final Map<UUID, Service> seen = new HashMap<>();
    private @Nullable Look look;
    private ServicePass services;
    private BackupPass backups;
    private HostMoves moves;

    HostProcess(
            Host host,
            Store store,
            SimTime time,
            FakeBackups bucket,
            Consumer<String> point,
            BiConsumer<UUID, Long> copied) {
        this.host = host;
        this.store = store;
        this.time = time;
        this.bucket = bucket;
        this.point = point;
        this.copied = copied;
        this.databases = new FakePlane(time, START_TIME, STOP_TIME);
        restart();
    }

    void restart() {
        Store watched = new WatchedStore(store, point);
        Ground ground = PassGround.of(watched, time, Pace.USUAL);
        ServiceFollower followers = new BackupsOfService();
        services = ServicePass.usual(ground, new WatchedPlane(new Machine(), point), followers, ServicePass.Watch.NONE);
        backups = BackupPass.usual(ground, new WatchedBackups(new Copies(), point), new ProofBook());
        moves = new HostMoves(watched, time, host.id(), new Marks(), followers, () -> {});
    }

    Host host() {
        return host;
    }

    UUID id() {
        return host.id();
    }

    void beat() {
        new HostWatch(store, time, host, ServiceFollower.NONE, () -> {}).beat();
    }

    void work() {
        List<Tasks.Claim> claims = store.write(tables ->
                tables.tasks().claim(host.name(), time.now(), time.now().plus(LEASE), ALL_TASKS));
        for (Tasks.Claim claim : claims) {
            if (claim.kind() == Tasks.Kind.SERVICE) {
                services.run(claim);
            } else {
                backups.run(claim);
            }
        }
    }

    void move() throws PlaneFault {
        moves.turn();
    }

    void write(UUID serviceId) {
        databases.write(serviceId);
    }

    /** What happens once between a look that shows this and what is written of it. */
    private record Look(Condition condition, Stage stage, Meanwhile meanwhile) {}

    interface Meanwhile {
        void happen() throws PlaneFault;
    }

    void onceLookedAt(Condition condition, Stage stage, Meanwhile meanwhile) {
        look = new Look(condition, stage, meanwhile);
    }

    boolean wasLookedAt() {
        return look == null;
    }

    private void looked(Service service, Condition condition) throws PlaneFault {
        Look set = look;
        if (set != null
                && set.condition() == condition
                && service.departure() != null
                && service.departure().stage() == set.stage()) {
            look = null;
            set.meanwhile().happen();
        }
    }

    Map<UUID, UUID> marked() {
        return marks;
    }

    /** Of the one service that there is. */
    Condition condition() {
        return seen.keySet().stream().findFirst().map(databases::condition).orElse(Condition.ABSENT);
    }

    boolean runs() {
        return EnumSet.of(Condition.STARTING, Condition.RUNNING).contains(condition());
    }

    /** Which data it has here; -1 for none. */
    long data() {
        return seen.keySet().stream()
                .findFirst()
                .map(id -> databases.data(id).orElse(-1))
                .orElse(-1L);
    }

    /** As the local plane does, it knows what it has lost, and starts nothing that has left. */
    private final class Machine implements DataPlane {
        @Override
        public Sight observe(Service service) throws PlaneFault {
            seen.put(service.id(), service);
            Sight sight = databases.observe(service);
            looked(service, sight.condition());
            boolean lost =
                    sight.condition() == Condition.ABSENT && service.seen().everRan() && service.wish() != Wish.DELETE;
            return lost ? new Sight(Condition.LOST, false, null, null) : sight;
        }

        @Override
        public void start(Service service) throws PlaneFault {
            if (marks.containsKey(service.id())) {
                throw new PlaneFault("It went to another host");
            }
            databases.start(service);
        }

        @Override
        public void stop(Service service) throws PlaneFault {
            databases.stop(service);
        }

        @Override
        public void erase(Service service) throws PlaneFault {
            databases.erase(service);
            marks.remove(service.id());
        }

        @Override
        public Database database() {
            return databases.database();
        }

        @Override
        public String name() {
            return databases.name();
        }
    }

    /** Copies into the bucket of both hosts. */
    private final class Copies implements Backups {
        @Override
        public void begin(Service service, UUID backupId) throws PlaneFault {
            copied.accept(backupId, databases.data(service.id()).orElse(-1));
            bucket.begin(service, backupId);
        }

        @Override
        public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
            return bucket.observe(serviceId, backupId);
        }

        @Override
        public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
            bucket.drop(serviceId, backupId);
        }
    }

    private final class Marks implements Leaving {
        @Override
        public Optional<String> refusal(Service service) {
            return Optional.empty();
        }

        @Override
        public void follow(Service service) {}

        @Override
        public void mark(UUID serviceId, UUID backupId) throws PlaneFault {
            point.accept("before mark");
            if (databases.condition(serviceId) != Condition.STOPPED) {
                throw new PlaneFault("It has not stopped yet");
            }
            marks.put(serviceId, backupId);
            point.accept("after mark");
        }

        @Override
        public Map<UUID, UUID> marked() {
            return Map.copyOf(marks);
        }

        @Override
        public void unmark(UUID serviceId) {
            marks.remove(serviceId);
        }

        @Override
        public void shut(UUID serviceId) {
            point.accept("shut");
        }

        @Override
        public void erase(UUID serviceId) throws PlaneFault {
            point.accept("before clearing");
            databases.erase(Optional.ofNullable(seen.get(serviceId)).orElseThrow());
            marks.remove(serviceId);
            point.accept("after clearing");
        }
    }
}
