package io.pilothouse.plane.simulated;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A data plane with nothing behind it, for clients that only need the API: services take their time and then count as
 * running. It remembers only what is changing; of the rest it believes what the engine last saw, so that a restart
 * moves nothing and a million settled services cost it no memory. Safe for many threads.
 */
public final class SimulatedPlane implements DataPlane {
    private final Clock clock;
    private final Settings settings;
    private final Map<UUID, Change> changes = new ConcurrentHashMap<>();

    /** {@code endTime} is how long a stop and an erasure take. */
    public record Settings(Duration startTime, Duration endTime, String dbVersion) {
        public static final Settings USUAL =
                new Settings(Duration.ofSeconds(2), Duration.ofMillis(500), "25.8-simulated");
    }

    /** Something on its way since it began: {@code during} until a moment, {@code then} from it on. */
    private record Change(Instant begun, Condition during, Instant until, Condition then) {
        Condition at(Instant now) {
            return now.isBefore(until) ? during : then;
        }
    }

    public SimulatedPlane(Clock clock, Settings settings) {
        this.clock = clock;
        this.settings = settings;
    }

    @Override
    public Sight observe(Service service) {
        Change change = changes.computeIfPresent(service.id(), (_, known) -> stillTrue(service, known));
        Condition condition = condition(service, change);
        // Once the engine's row says the same, or no row will ask again, there is nothing left to remember.
        boolean known = condition == service.seen().condition()
                || (condition == Condition.ABSENT && service.wish() == Wish.DELETE);
        if (known && change != null && change.then() == condition) {
            changes.remove(service.id(), change);
        }
        boolean runs = condition == Condition.RUNNING;
        return new Sight(condition, runs, runs ? database() : null, null);
    }

    /** Of what was recorded since it began, another process that shares the store may have made something else. */
    private static @Nullable Change stillTrue(Service service, @Nullable Change change) {
        return change == null || service.seen().since().isAfter(change.begun()) ? null : change;
    }

    private Condition condition(Service service, @Nullable Change change) {
        Instant now = clock.now();
        return change == null ? believed(service, now) : change.at(now);
    }

    /** Starts that were under way when this process began have gone on meanwhile, as real ones would. */
    private Condition believed(Service service, Instant now) {
        Seen seen = service.seen();
        Condition ended = service.wish() == Wish.DELETE ? Condition.ABSENT : Condition.STOPPED;
        return switch (seen.condition()) {
            case RUNNING -> Condition.RUNNING;
            case STOPPED -> Condition.STOPPED;
            case STARTING -> {
                Instant until = seen.since().plus(settings.startTime());
                yield new Change(seen.since(), Condition.STARTING, until, Condition.RUNNING).at(now);
            }
            case STOPPING -> {
                Instant until = seen.since().plus(settings.endTime());
                yield new Change(seen.since(), Condition.STOPPING, until, ended).at(now);
            }
            case BROKEN -> seen.everRan() ? Condition.STOPPED : Condition.ABSENT;
            case UNKNOWN, ABSENT, LOST -> Condition.ABSENT;
        };
    }

    @Override
    public void start(Service service) {
        changes.compute(service.id(), (_, known) -> {
            Change change = stillTrue(service, known);
            Instant now = clock.now();
            Condition condition = condition(service, change);
            return switch (condition) {
                case STARTING, RUNNING -> change;
                case UNKNOWN, ABSENT, LOST, STOPPING, STOPPED, BROKEN ->
                    new Change(now, Condition.STARTING, now.plus(settings.startTime()), Condition.RUNNING);
            };
        });
    }

    @Override
    public void stop(Service service) {
        end(service, Condition.STOPPED);
    }

    @Override
    public void erase(Service service) {
        end(service, Condition.ABSENT);
    }

    private void end(Service service, Condition then) {
        changes.compute(service.id(), (_, known) -> {
            Change change = stillTrue(service, known);
            Condition condition = condition(service, change);
            if (condition == Condition.ABSENT || condition == then) {
                return change;
            }
            Instant now = clock.now();
            Instant until =
                    change != null && condition == Condition.STOPPING ? change.until() : now.plus(settings.endTime());
            return new Change(now, Condition.STOPPING, until, then);
        });
    }

    /** Forgets what it remembers of the services with these ids: of them it believes their rows alone from now on. */
    public void forget(Set<UUID> ids) {
        changes.keySet().removeAll(ids);
    }

    /** How many services are remembered. */
    int remembered() {
        return changes.size();
    }

    @Override
    public Database database() {
        return new Database(settings.dbVersion(), RuleBook.PROTOCOLS.words());
    }

    @Override
    public String name() {
        return "simulated";
    }
}
