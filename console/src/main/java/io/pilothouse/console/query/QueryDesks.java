package io.pilothouse.console.query;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The desks of those sessions that ran SQL last, by a name that only a session has. Safe for many threads. */
public final class QueryDesks {
    /** With {@link QueryDesk#MAX_CHARS} each, a few megabytes in all. */
    static final int MAX_DESKS = 200;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, QueryDesk> bySession = new LinkedHashMap<>(16, 0.75f, true);

    public QueryDesk of(String session) {
        lock.lock();
        try {
            QueryDesk desk = bySession.computeIfAbsent(session, _ -> new QueryDesk());
            if (bySession.size() > MAX_DESKS) {
                // One where a statement runs stays, so that it can be cancelled.
                bySession.entrySet().stream()
                        .filter(each -> !each.getKey().equals(session)
                                && each.getValue().isIdle())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .ifPresent(bySession::remove);
            }
            return desk;
        } finally {
            lock.unlock();
        }
    }

    /** Who signs out leaves nothing behind. */
    public void clear(String session) {
        lock.lock();
        try {
            bySession.remove(session);
        } finally {
            lock.unlock();
        }
    }
}
