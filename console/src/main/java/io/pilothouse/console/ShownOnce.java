package io.pilothouse.console;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.wire.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Pages that are shown once, to the session that made what is on them: a secret waits in memory until the browser is
 * led to it. So to load such a page again sends no form again, and shows nothing. Safe for many threads.
 */
final class ShownOnce {
    static final String PATH = "/shown/{shownId}";

    private static final int OK = 200;
    private static final int MAX_WAITING = 200;
    private static final Duration LAST = Duration.ofMinutes(5);

    private final Page page;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();

    private record Waiting(Session session, String title, Page.Main main, Instant until) {}

    ShownOnce(Page page, Clock clock) {
        this.page = page;
        this.clock = clock;
    }

    /** Leads to a page that will be shown once. */
    Answer lead(Visit visit, String title, Page.Main main) {
        String id = UUID.randomUUID().toString();
        Instant now = clock.now();
        lock.lock();
        try {
            if (waiting.size() >= MAX_WAITING) {
                waiting.remove(waiting.keySet().iterator().next());
            }
            waiting.put(id, new Waiting(visit.session(), title, main, now.plus(LAST)));
        } finally {
            lock.unlock();
        }
        return Console.seeOther("/shown/" + id);
    }

    /** Forgets what nobody came for; called with every page, because nothing here goes by itself. */
    void expire() {
        Instant now = clock.now();
        lock.lock();
        try {
            waiting.values().removeIf(old -> !now.isBefore(old.until()));
        } finally {
            lock.unlock();
        }
    }

    /** Who signs out leaves nothing behind. */
    void clear(Session session) {
        lock.lock();
        try {
            waiting.values().removeIf(each -> each.session().equals(session));
        } finally {
            lock.unlock();
        }
    }

    Answer show(Visit visit) {
        Waiting found = take(visit.last(), visit.session());
        return found == null
                ? page.of(OK, "Shown already", visit, html -> {
                    html.in("h1", "This was shown already");
                    html.in("p", "Such a page is shown once, and what was on it is kept nowhere.");
                })
                : page.of(OK, found.title(), visit, found.main());
    }

    private @Nullable Waiting take(String id, Session session) {
        lock.lock();
        try {
            Waiting found = waiting.get(id);
            if (found == null || !found.session().equals(session)) {
                return null;
            }
            waiting.remove(id);
            return clock.now().isBefore(found.until()) ? found : null;
        } finally {
            lock.unlock();
        }
    }
}
