package io.pilothouse.console.query;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one session has run: a bounded history, which nobody but the session sees, the statements that run now, and the
 * forms that were sent. Safe for many threads.
 */
public final class QueryDesk {
    /** So that a session costs no more than a page or two. */
    static final int MAX_CHARS = 16_384;

    static final int MAX_STATEMENTS = 30;
    private static final int MAX_SENT = 200;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Past> past = new ArrayDeque<>();
    private final Map<String, Running> running = new LinkedHashMap<>();
    private final Set<String> sent = new LinkedHashSet<>();
    private long numbers;

    /** One statement that was run, under a number of its own. */
    public record Past(long number, UUID serviceId, Instant at, String sql) {}

    /** One that has not ended; {@code cancel} ends it in the database too. */
    public record Running(String id, UUID serviceId, Instant since, String sql, Runnable cancel) {}

    /** False for a form that was sent before, as by a double click; one without a mark of its own is never known. */
    public boolean takes(String once) {
        if (once.isEmpty()) {
            return true;
        }
        lock.lock();
        try {
            if (sent.size() >= MAX_SENT) {
                sent.remove(sent.iterator().next());
            }
            return sent.add(once);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a statement, unless it is very long or may hold a secret. */
    public void keep(UUID serviceId, Instant at, String sql) {
        if (sql.length() > MAX_CHARS / 4 || SecretText.mayBeIn(sql)) {
            return;
        }
        lock.lock();
        try {
            past.removeIf(
                    each -> each.serviceId().equals(serviceId) && each.sql().equals(sql));
            numbers++;
            past.addFirst(new Past(numbers, serviceId, at, sql));
            while (past.size() > MAX_STATEMENTS
                    || past.stream().mapToInt(each -> each.sql().length()).sum() > MAX_CHARS) {
                past.removeLast();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The latest first. */
    public List<Past> past(UUID serviceId) {
        lock.lock();
        try {
            return past.stream()
                    .filter(each -> each.serviceId().equals(serviceId))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    public Optional<Past> find(UUID serviceId, String number) {
        return past(serviceId).stream()
                .filter(each -> Long.toString(each.number()).equals(number))
                .findFirst();
    }

    public void began(Running statement) {
        lock.lock();
        try {
            running.put(statement.id(), statement);
        } finally {
            lock.unlock();
        }
    }

    public void ended(String id) {
        lock.lock();
        try {
            running.remove(id);
        } finally {
            lock.unlock();
        }
    }

    boolean isIdle() {
        lock.lock();
        try {
            return running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    public List<Running> running(UUID serviceId) {
        lock.lock();
        try {
            return running.values().stream()
                    .filter(each -> each.serviceId().equals(serviceId))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a statement of this session; one that has ended already is left alone. */
    public void cancel(UUID serviceId, String id) {
        running(serviceId).stream()
                .filter(each -> each.id().equals(id))
                .forEach(each -> each.cancel().run());
    }
}
