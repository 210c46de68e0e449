package io.pilothouse.plane.local.share;

import io.pilothouse.plane.local.share.DiskShare.Level;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the data of each service takes of its share, as it was last measured. A pass begins that, and a watch of its own
 * goes on with it: a settled service is passed rarely. Safe for many threads.
 */
public final class DiskShares implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DiskShares.class.getName());

    private final DiskShare share;
    private final Consumer<UUID> look;
    private final Map<UUID, Measured> last = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private record Measured(long bytes, Level level) {}

    /** Asks a database what its data takes; empty where it does not run or does not say. */
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
        threads.execute(() -> {
            try {
                while (!over.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
                    look(measure);
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Measures every service once that a pass has seen running. */
    void look(Measure measure) {
        for (UUID id : last.keySet()) {
            try {
                OptionalLong bytes = measure.bytes(id);
                if (bytes.isPresent() && last.containsKey(id) && note(id, bytes.getAsLong(), false)) {
                    look.accept(id);
                }
            } catch (RuntimeException unexpected) {
                LOG.log(Logger.Level.WARNING, "The data of the service " + id + " could not be measured", unexpected);
            }
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
        over.countDown();
    }
}
