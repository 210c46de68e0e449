package io.pilothouse.http.wire;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How often each key may ask in a minute, which begins with its first request. Safe for many threads. */
public final class RateLimit {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final int most;
    private final LongSupplier nanoTime;
    private final Map<UUID, Window> windows = new ConcurrentHashMap<>();
    private final AtomicLong swept;

    /** The minute that a key is in, and how often it has asked in it. */
    private record Window(long began, int asked) {}

    public RateLimit(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.swept = new AtomicLong(nanoTime.getAsLong());
    }

    /** So many requests, or any number where it is 0. */
    public static RateLimit perMinute(int most) {
        return new RateLimit(most, System::nanoTime);
    }

    /** Where a key stands after a request: {@code left} is below 0 when that was one too many. */
    public record Standing(int most, int left, long resetSeconds) {
        public boolean isOver() {
            return left < 0;
        }

        /** The answer with the headers by which a client can keep within the limit. */
        Answer mark(Answer answer) {
            String reset = Long.toString(resetSeconds);
            Answer marked = answer.with("RateLimit-Limit", Integer.toString(most))
                    .with("RateLimit-Remaining", Integer.toString(Math.max(0, left)))
                    .with("RateLimit-Reset", reset);
            return isOver() ? marked.with("Retry-After", reset).with("X-RateLimit-Reset", reset) : marked;
        }
    }

    /** Counts a request of this key; null where there is no limit. */
    @Nullable
    public Standing take(UUID keyId) {
        if (most == 0) {
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
        return new Standing(most, most - window.asked(), Math.max(1, Math.ceilDiv(rest, SECOND)));
    }

    private static boolean isOver(Window window, long now) {
        return now - window.began() >= MINUTE;
    }

    /** Once a minute, forgets the keys that have not asked for one. */
    private void sweep(long now) {
        long last = swept.get();
        if (now - last >= MINUTE && swept.compareAndSet(last, now)) {
            windows.values().removeIf(window -> isOver(window, now));
        }
    }

    /** Of how many keys something is remembered. */
    public int remembered() {
        return windows.size();
    }
}
