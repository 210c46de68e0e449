package io.pilothouse.http.wire;

import io.pilothouse.core.base.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Limits the requests of each key in a minute, which begins with its first request. Safe for many threads. */
public final class RateLimit {
    static final String LIMIT = "RateLimit-Limit";

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final int max;
    private final LongSupplier nanoTime;
    private final Map<UUID, Window> windows = new ConcurrentHashMap<>();
    private final AtomicLong swept;

    /** A key's current minute, and its requests in it. */
    private record Window(long began, int asked) {}

    public RateLimit(int max, LongSupplier nanoTime) {
        this.max = max;
        this.nanoTime = nanoTime;
        this.swept = new AtomicLong(nanoTime.getAsLong());
    }

    /** At most this many requests a minute; unlimited if it is 0. */
    public static RateLimit perMinute(int max) {
        return new RateLimit(max, System::nanoTime);
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

    /** Counts a request of this key; null where there is no limit. */
    @Nullable
    public Standing take(UUID keyId) {
        if (max == 0) {
            return null;
        }
        long now = nanoTime.getAsLong();
        sweep(now);
        Window window = windows.compute(
                keyId,
                (_, last) -> last == null || isOver(last, now)
                        ? new Window(now, 1)
                        : new Window(last.began(), last.asked() + 1));
        long rest = window.began() + MINUTE - now;
        return new Standing(max, max - window.asked(), Math.max(1, Math.ceilDiv(rest, SECOND)));
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

    private static boolean isOver(Window window, long now) {
        return now - window.began() >= MINUTE;
    }

    /** Once a minute, forgets keys without a request in the last minute. */
    private void sweep(long now) {
        long last = swept.get();
        if (now - last >= MINUTE && swept.compareAndSet(last, now)) {
            windows.values().removeIf(window -> isOver(window, now));
        }
    }

    /** The number of keys that are remembered. */
    public int remembered() {
        return windows.size();
    }
}
