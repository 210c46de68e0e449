package io.pilothouse.http.wire;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.StoreUnavailable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of each key in a minute, which begins with its first request. A process has a batch of a key's
 * requests in hand: all of them where it is alone, and otherwise a share of what all processes have, so that few
 * requests need a trip to the store. Safe for many threads.
 */
public final class RateLimit {
    static final String LIMIT = "RateLimit-Limit";

    /** A process of several takes this part of the limit at once, at most. */
    private static final int BATCHES_OF_A_LIMIT = 10;

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final long MINUTE = WINDOW.toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final int max;
    private final LongSupplier nanoTime;
    private final Optional<Allowances> shared;
    private final Map<UUID, Lot> lots = new ConcurrentHashMap<>();
    private final AtomicLong swept;

    /** {@code shared} has what all processes of the store may admit together; without it this one is alone. */
    public RateLimit(int max, LongSupplier nanoTime, Optional<Allowances> shared) {
        this.max = max;
        this.nanoTime = nanoTime;
        this.shared = shared;
        this.swept = new AtomicLong(nanoTime.getAsLong());
    }

    /** At most this many requests a minute at this process; unlimited if it is 0. */
    public static RateLimit perMinute(int max) {
        return perMinute(max, Optional.empty());
    }

    /** The same at all processes together. */
    public static RateLimit perMinute(int max, Optional<Allowances> shared) {
        return new RateLimit(max, System::nanoTime, shared);
    }

    /** A key's allowance after a request: {@code left} is below 0 if that was one too many. */
    public record Standing(int max, int left, long resetSeconds) {
        public boolean isOver() {
            return left < 0;
        }

        /** The answer with the headers by which a client can keep within the limit. */
        public Answer mark(Answer answer) {
            String reset = Long.toString(resetSeconds);
            Answer marked = answer.with(LIMIT, Integer.toString(max))
                    .with("RateLimit-Remaining", Integer.toString(Math.max(0, left)))
                    .with("RateLimit-Reset", reset);
            return isOver() ? marked.with("Retry-After", reset).with("X-RateLimit-Reset", reset) : marked;
        }
    }

    /**
     * Counts a request of this key; null where there is no limit.
     *
     * @throws StoreUnavailable if nothing is in hand and the store cannot be asked for more
     */
    @Nullable
    public Standing take(UUID keyId) {
        if (max == 0) {
            return null;
        }
        sweep(nanoTime.getAsLong());
        Standing standing;
        do {
            standing = lots.computeIfAbsent(keyId, Lot::new).take();
        } while (standing == null);
        return standing;
    }

    /** Refuses the request that was one too many. */
    public static void requireWithin(@Nullable Standing standing) {
        if (standing != null && standing.isOver()) {
            throw new Refused(
                    Refused.Reason.TOO_MANY_REQUESTS,
                    "More than " + standing.max() + " requests in a minute: try again in " + standing.resetSeconds()
                            + " seconds");
        }
    }

    /** What this process may admit of a key's current minute. */
    private final class Lot {
        private final UUID keyId;
        private final ReentrantLock lock = new ReentrantLock();
        private boolean begun;
        private boolean forgotten;
        private long until;
        private int inHand;
        private int elsewhere;
        private @Nullable StoreUnavailable failure;
        private long failedAt;

        private Lot(UUID keyId) {
            this.keyId = keyId;
        }

        /** Null if it was forgotten meanwhile. */
        private @Nullable Standing take() {
            long arrived = nanoTime.getAsLong();
            lock.lock();
            try {
                if (forgotten) {
                    return null;
                }
                long now = nanoTime.getAsLong();
                if (isOver(now) || (inHand == 0 && elsewhere > 0)) {
                    fetch(arrived);
                    now = nanoTime.getAsLong();
                }
                long reset = Math.max(1, Math.ceilDiv(until - now, SECOND));
                if (inHand == 0) {
                    return new Standing(max, -1, reset);
                }
                inHand--;
                return new Standing(max, inHand + elsewhere, reset);
            } finally {
                lock.unlock();
            }
        }

        /** Those who waited while the store could not be asked do not ask it one after another. */
        private void fetch(long arrived) {
            if (failure != null && failedAt - arrived >= 0) {
                throw new StoreUnavailable(String.valueOf(failure.getMessage()), failure);
            }
            // The minute must not seem longer here than it is there.
            long asked = nanoTime.getAsLong();
            try {
                Allowances.Share share = next();
                begun = true;
                failure = null;
                inHand = share.granted();
                elsewhere = share.left();
                until = asked + share.rest().toNanos();
            } catch (StoreUnavailable e) {
                failure = e;
                failedAt = nanoTime.getAsLong();
                throw e;
            }
        }

        private Allowances.Share next() {
            if (shared.isEmpty()) {
                return new Allowances.Share(max, 0, WINDOW);
            }
            String name = "requests " + keyId;
            Allowances.Share share = shared.get()
                    .take(Set.of(name), Math.ceilDiv(max, BATCHES_OF_A_LIMIT), max)
                    .get(name);
            if (share == null) {
                throw new IllegalStateException("What was asked for is not in the answer");
            }
            return share;
        }

        private boolean isOver(long now) {
            return !begun || now - until >= 0;
        }

        /** Whether nobody asks for it any more; a lot in use is not waited for. */
        private boolean forget(long now) {
            if (!lock.tryLock()) {
                return false;
            }
            try {
                forgotten = isOver(now);
                return forgotten;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Once a minute, forgets keys without a request in the last minute. */
    private void sweep(long now) {
        long last = swept.get();
        if (now - last >= MINUTE && swept.compareAndSet(last, now)) {
            lots.values().removeIf(lot -> lot.forget(now));
        }
    }

    /** The number of keys that are remembered. */
    public int remembered() {
        return lots.size();
    }
}
