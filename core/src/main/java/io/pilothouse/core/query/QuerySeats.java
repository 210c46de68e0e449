package io.pilothouse.core.query;

import io.pilothouse.core.base.Refused;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** How many statements run at once, in one service and in all of them. Safe for many threads. */
public final class QuerySeats {
    private static final int USUAL_OF_ONE_SERVICE = 50;
    private static final int USUAL_IN_ALL = 500;

    private final int ofOneService;
    private final Semaphore all;
    private final Map<UUID, Integer> taken = new ConcurrentHashMap<>();

    QuerySeats(int ofOneService, int inAll) {
        this.ofOneService = ofOneService;
        this.all = new Semaphore(inAll);
    }

    public static QuerySeats usual() {
        return new QuerySeats(USUAL_OF_ONE_SERVICE, USUAL_IN_ALL);
    }

    /**
     * Takes a seat, and gives what frees it, which may be called again.
     *
     * @throws Refused if none is free
     */
    Runnable take(UUID serviceId) {
        if (!all.tryAcquire()) {
            throw new Refused(Refused.Reason.TOO_MANY_REQUESTS, "Too many queries run at once: try again soon");
        }
        if (taken.merge(serviceId, 1, Integer::sum) > ofOneService) {
            free(serviceId);
            throw new Refused(
                    Refused.Reason.TOO_MANY_REQUESTS,
                    "The service runs " + ofOneService + " queries at once at most: try again when one has ended");
        }
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                free(serviceId);
            }
        };
    }

    private void free(UUID serviceId) {
        taken.computeIfPresent(serviceId, (_, count) -> count == 1 ? null : count - 1);
        all.release();
    }
}
