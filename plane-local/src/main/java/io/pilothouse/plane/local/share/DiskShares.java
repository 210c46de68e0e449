package io.pilothouse.plane.local.share;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.plane.local.share.DiskShare.Level;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * What the data of each service takes of its share, as it was last measured. A pass begins that, and a watch of its own
 * goes on with it: a settled service is passed rarely. Safe for many threads.
 */
public final class DiskShares implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DiskShares.class.getName());

    /** Few, as each is a query; more than one, so that databases that do not answer hold up no others. */
    private static final int AT_ONCE = 4;

    private final DiskShare share;
    private final Consumer<UUID> look;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Set<UUID> asked = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Measured> last = new ConcurrentHashMap<>();
    private final Rounds rounds = new Rounds();

    private record Measured(long bytes, Level level) {}

    /** Asks a database what its data takes; empty where it does not run, or does not say so in time. */
    public interface Measure {
        OptionalLong bytes(UUID id);
    }

    /** {@code look} is called for a service that became full, or has room again. */
    public DiskShares(DiskShare share, Consumer<UUID> look) {
        this.share = share;
        this.look = look;
    }

    public static DiskShares unlimited() {
        return new DiskShares(DiskShare.UNLIMITED, _ -> {});
    }

    /**
     * Notes what a pass has measured; {@code refusing} is whether the database refuses rows now, and one that does not
     * say what its data takes stays as it is.
     */
    public void measured(UUID id, OptionalLong bytes, boolean refusing) {
        if (!share.isLimited()) {
            return;
        }
        if (bytes.isPresent()) {
            note(id, bytes.getAsLong(), refusing);
        } else if (refusing) {
            last.putIfAbsent(id, new Measured(share.bytes(), Level.FULL));
        }
    }

    /** Whether it became full or has room again; {@code refusing} is believed where nothing is known of it yet. */
    private boolean note(UUID id, long bytes, boolean refusing) {
        Measured before = last.get(id);
        boolean wasFull = before == null ? refusing : before.level() == Level.FULL;
        Measured now = new Measured(bytes, share.level(bytes, wasFull));
        last.put(id, now);
        if (before == null ? now.level() != Level.ROOM : before.level() != now.level()) {
            share.sentence(bytes, now.level())
                    .ifPresentOrElse(
                            sentence -> LOG.log(Logger.Level.WARNING, "The service {0}: {1}", id, sentence),
                            () -> LOG.log(Logger.Level.INFO, "The data of the service {0} has room again", id));
        }
        return wasFull != (now.level() == Level.FULL);
    }

    public boolean isFull(UUID id) {
        Measured known = last.get(id);
        return known != null && known.level() == Level.FULL;
    }

    /** Why it takes no more rows. */
    public Optional<String> refusal(UUID id) {
        Measured known = last.get(id);
        return known != null && known.level() == Level.FULL
                ? share.sentence(known.bytes(), known.level())
                : Optional.empty();
    }

    public void forget(UUID id) {
        last.remove(id);
    }

    /** Measures this often, on a thread of the executor, until it is closed; without a limit there is nothing to do. */
    public void start(Executor threads, Duration period, Measure measure) {
        if (!share.isLimited()) {
            return;
        }
        threads.execute(() -> rounds.run(period, () -> look(threads, measure)));
    }

    /** Begins to measure every service that a pass has seen running, and that is not being asked since an earlier look. */
    void look(Executor threads, Measure measure) {
        for (UUID id : last.keySet()) {
            if (asked.add(id)) {
                threads.execute(() -> measure(id, measure));
            }
        }
    }

    private void measure(UUID id, Measure measure) {
        try {
            places.acquire();
            try {
                OptionalLong bytes = measure.bytes(id);
                if (bytes.isPresent() && last.containsKey(id) && note(id, bytes.getAsLong(), false)) {
                    look.accept(id);
                }
            } finally {
                places.release();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unexpected) {
            LOG.log(Logger.Level.WARNING, "The data of the service " + id + " could not be measured", unexpected);
        } finally {
            asked.remove(id);
        }
    }

    /** What each service may have; empty without a limit. */
    public OptionalLong limit() {
        return share.isLimited() ? OptionalLong.of(share.bytes()) : OptionalLong.empty();
    }

    /** How many services are so far. */
    public long count(Level level) {
        return last.values().stream().filter(each -> each.level() == level).count();
    }

    @Override
    public void close() {
        rounds.close();
    }
}
