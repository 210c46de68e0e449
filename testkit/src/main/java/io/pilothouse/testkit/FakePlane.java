package io.pilothouse.testkit;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A data plane in memory, on a clock that tests move: it does what {@link PlaneContract} asks, remembers every effect,
 * and fails where a test wants it to. It outlives the control plane, as the world does. Safe for many threads.
 */
public final class FakePlane implements DataPlane {
    public static final String DB_VERSION = "25.8-fake";

    /** The calls of a plane. */
    public enum Deed {
        OBSERVE,
        START,
        STOP,
        ERASE
    }

    /** One effect that took place. */
    public record Effect(Deed deed, UUID serviceId) {}

    /** Called before and after every effect; an exception of it reaches the caller of the plane. */
    @FunctionalInterface
    public interface Trap {
        void at(Deed deed, Service service, boolean done) throws PlaneFault;
    }

    private final Clock clock;
    private final Duration startTime;
    private final Duration stopTime;
    private final Map<UUID, World> worlds = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Map<UUID, Integer> looks = new HashMap<>();
    private Trap trap = (_, _, _) -> {};
    private List<Offer> offers = List.of();
    private List<String> unable = List.of();
    private long births;

    public FakePlane(Clock clock, Duration startTime, Duration stopTime) {
        this.clock = clock;
        this.startTime = startTime;
        this.stopTime = stopTime;
    }

    /** The settings that a database was started with; it runs as wanted while they are the wanted ones. */
    private record Setup(
            Scaling scaling,
            Access access,
            PasswordHashes password,
            boolean coreDumps,
            @Nullable String version) {}

    private Setup setup(Service service) {
        Service.Pin pin = service.want().pin();
        String newest = offers.isEmpty() ? null : offers.getLast().version();
        return new Setup(
                service.scalingNow(),
                service.access(),
                service.password(),
                service.enableCoreDumps(),
                pin == null ? newest : pin.version());
    }

    /** These versions are there from now on; one that is not {@code able} never comes up. */
    public synchronized void offer(List<Offer> versions, List<String> able) {
        offers = List.copyOf(versions);
        unable = versions.stream()
                .map(Offer::version)
                .filter(each -> !able.contains(each))
                .toList();
    }

    /**
     * One service's corner of the world: it is {@code during} until a moment, and {@code then} from it on. The backup
     * it begins with is taken over at a moment, if that was asked for and nothing came between.
     */
    private record World(
            Condition during,
            Instant until,
            Condition then,
            @Nullable Setup setup,
            long data,
            @Nullable Instant restoredAt,
            @Nullable String fault) {
        Condition at(Instant now) {
            return now.isBefore(until) ? during : then;
        }

        /** Whether its backup has been restored. */
        boolean holdsItsOrigin(Service service, Instant now) {
            return service.fixed().origin() == null || (restoredAt != null && !now.isBefore(restoredAt));
        }

        /** Other settings from now on; a half-finished restore is dropped. */
        World turned(Instant now, Condition next, Instant from, Condition last, @Nullable String why) {
            boolean half = restoredAt != null && now.isBefore(restoredAt);
            return new World(next, from, last, setup, data, half ? null : restoredAt, why);
        }

        World with(Setup next) {
            return new World(during, until, then, next, data, restoredAt, fault);
        }

        World with(@Nullable Instant restored, long next) {
            return new World(during, until, then, setup, next, restored, fault);
        }
    }

    public synchronized void trap(Trap next) {
        trap = next;
    }

    /** Every effect that took place, in order; looks are not effects. */
    public synchronized List<Effect> effects() {
        return List.copyOf(effects);
    }

    public synchronized int looks(UUID serviceId) {
        return looks.getOrDefault(serviceId, 0);
    }

    /** The actual state, whatever a look returns. */
    public synchronized Condition condition(UUID serviceId) {
        World world = worlds.get(serviceId);
        return world == null ? Condition.ABSENT : world.at(clock.now());
    }

    /** Whether it runs now, with exactly the settings that this row wants and with its backup restored. */
    public synchronized boolean runsAs(Service service) {
        World world = worlds.get(service.id());
        Instant now = clock.now();
        return world != null
                && world.at(now) == Condition.RUNNING
                && world.holdsItsOrigin(service, now)
                && setup(service).equals(world.setup());
    }

    /** The number of the data in a backup. */
    public static long dataOf(BackupOrigin origin) {
        return origin.backupId().getLeastSignificantBits();
    }

    /** A client writes something, and so the service has other data. */
    public synchronized void write(UUID serviceId) {
        worlds.computeIfPresent(serviceId, (_, world) -> world.with(world.restoredAt(), world.data() + 1));
    }

    /** Which data the service has: another number is other data, and none is lost data. */
    public synchronized OptionalLong data(UUID serviceId) {
        World world = worlds.get(serviceId);
        return world == null || world.at(clock.now()) == Condition.ABSENT
                ? OptionalLong.empty()
                : OptionalLong.of(world.data());
    }

    /** The database dies, as in a power cut; its data stays. */
    public synchronized void breakDown(UUID serviceId, String fault) {
        Instant now = clock.now();
        worlds.computeIfPresent(
                serviceId, (_, world) -> world.turned(now, Condition.BROKEN, now, Condition.BROKEN, fault));
    }

    private Trap trap() {
        synchronized (this) {
            return trap;
        }
    }

    @Override
    public Sight observe(Service service) throws PlaneFault {
        Trap set = trap();
        set.at(Deed.OBSERVE, service, false);
        Sight sight = look(service);
        set.at(Deed.OBSERVE, service, true);
        return sight;
    }

    private synchronized Sight look(Service service) {
        looks.merge(service.id(), 1, Integer::sum);
        World world = worlds.get(service.id());
        if (world == null) {
            return new Sight(Condition.ABSENT, false, null, null);
        }
        Instant now = clock.now();
        Condition condition = world.at(now);
        boolean runs = condition == Condition.RUNNING;
        boolean restoring = runs && world.restoredAt() != null && !world.holdsItsOrigin(service, now);
        return new Sight(
                restoring ? Condition.STARTING : condition, runsAs(service), runs ? database() : null, world.fault());
    }

    @Override
    public void start(Service service) throws PlaneFault {
        Trap set = trap();
        set.at(Deed.START, service, false);
        begin(service);
        set.at(Deed.START, service, true);
    }

    private synchronized void begin(Service service) {
        effects.add(new Effect(Deed.START, service.id()));
        Instant now = clock.now();
        World world = worlds.get(service.id());
        Setup setup = setup(service);
        Condition condition = world == null ? Condition.ABSENT : world.at(now);
        World next = switch (condition) {
            case RUNNING ->
                sameVersion(kept(world), setup)
                        ? restoring(kept(world), service, now)
                        : kept(world).turned(now, Condition.STARTING, now.plus(startTime), Condition.RUNNING, null);
            case STARTING -> kept(world).turned(now, condition, kept(world).until(), Condition.RUNNING, null);
            case STOPPED, STOPPING, BROKEN, UNKNOWN ->
                kept(world).turned(now, Condition.STARTING, now.plus(startTime), Condition.RUNNING, null);
            case ABSENT, LOST ->
                new World(Condition.STARTING, now.plus(startTime), Condition.RUNNING, setup, ++births, null, null);
        };
        boolean able = !unable.contains(String.valueOf(setup.version()));
        worlds.put(
                service.id(),
                (able ? next : next.turned(now, Condition.BROKEN, now, Condition.BROKEN, "It does not come up"))
                        .with(setup));
    }

    private static boolean sameVersion(World world, Setup next) {
        return world.setup() != null && Objects.equals(world.setup().version(), next.version());
    }

    /** A running service begins to restore its backup, unless that is done or under way. */
    private World restoring(World world, Service service, Instant now) {
        BackupOrigin origin = service.fixed().origin();
        return origin == null || world.restoredAt() != null ? world : world.with(now.plus(startTime), dataOf(origin));
    }

    private static World kept(@Nullable World world) {
        if (world == null) {
            throw new IllegalStateException("What is there has a world");
        }
        return world;
    }

    @Override
    public void stop(Service service) throws PlaneFault {
        Trap set = trap();
        set.at(Deed.STOP, service, false);
        end(service, Deed.STOP, Condition.STOPPED);
        set.at(Deed.STOP, service, true);
    }

    @Override
    public void erase(Service service) throws PlaneFault {
        Trap set = trap();
        set.at(Deed.ERASE, service, false);
        end(service, Deed.ERASE, Condition.ABSENT);
        set.at(Deed.ERASE, service, true);
    }

    private synchronized void end(Service service, Deed deed, Condition then) {
        effects.add(new Effect(deed, service.id()));
        Instant now = clock.now();
        World world = worlds.get(service.id());
        if (world == null || world.at(now) == Condition.ABSENT || world.at(now) == then) {
            return;
        }
        // Ending twice takes no longer than once, and a late stop cannot keep data that is being erased.
        boolean ending = world.at(now) == Condition.STOPPING;
        Instant until = ending ? world.until() : now.plus(stopTime);
        Condition last = ending && world.then() == Condition.ABSENT ? Condition.ABSENT : then;
        worlds.put(service.id(), world.turned(now, Condition.STOPPING, until, last, null));
    }

    @Override
    public Database database() {
        return new Database(DB_VERSION, RuleBook.PROTOCOLS.words());
    }

    @Override
    public synchronized List<Offer> offers() {
        return offers;
    }

    @Override
    public String name() {
        return "fake";
    }
}
