package io.pilothouse.server.activity;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.FailedLogins;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Client;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RequestRecord;
import io.pilothouse.incoming.Origin;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines about refused attempts, and removes lines that are too old. Attempts are counted in memory for a minute,
 * so that guessing at keys costs few writes and no request waits for one; a killed process loses those of its last
 * minute. Safe for many threads.
 */
public final class ActivityKeeper implements RequestObserver, FailedLogins, AutoCloseable {
    private static final Logger LOG = System.getLogger(ActivityKeeper.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration GATHERED = Duration.ofMinutes(1);
    private static final int MAX_LINES_OF_A_KEY = 20;
    private static final int MAX_LINES = 1_000;
    private static final int WRITTEN_AT_ONCE = 100;
    private static final int FORGOTTEN_AT_ONCE = 500;
    private static final int FORBIDDEN = 403;

    private final Store store;
    private final Clock clock;
    private final Optional<Duration> retention;
    private final Rounds rounds = new Rounds();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Attempts, Tally> tallies = new LinkedHashMap<>();
    private final Map<UUID, Integer> ofKeys = new HashMap<>();

    /** Attempts that share a line; those of a key that have too many lines share one without origin and operation. */
    private record Attempts(
            UUID keyId,
            Refusal.Cause cause,
            @Nullable Origin from,
            @Nullable String operationId) {
        private Attempts folded() {
            return new Attempts(keyId, cause, null, null);
        }
    }

    /** How many there were since the first one; what sent them, and the request, are those of the first. */
    private record Tally(
            Instant since,
            long count,
            @Nullable Client client,
            @Nullable UUID requestId) {
        private Tally more(long others) {
            return new Tally(since, count + others, client, requestId);
        }
    }

    /** The holder of a key or a token, as a line names it. */
    private record Holder(UUID organizationId, String actorType, UUID actorId, String name) {}

    /** Begins to keep lines, each for this number of days; 0 for ever. */
    public static ActivityKeeper over(Store store, Clock clock, int days) {
        ActivityKeeper keeper =
                new ActivityKeeper(store, clock, days == 0 ? Optional.empty() : Optional.of(Duration.ofDays(days)));
        keeper.start();
        return keeper;
    }

    /** Lines stay for {@code retention}, or for ever if there is none. */
    public ActivityKeeper(Store store, Clock clock, Optional<Duration> retention) {
        this.store = store;
        this.clock = clock;
        this.retention = retention;
    }

    /** Does its work every second from now on. */
    public void start() {
        Thread.ofPlatform().daemon().name("activity-keeper").start(() -> rounds.run(PAUSE, this::turn));
    }

    /** Writes and removes what is due. */
    public void turn() {
        doOrLog(() -> keep(clock.now().minus(GATHERED)));
        doOrLog(this::forget);
    }

    @Override
    public void observe(RequestRecord request) {
        UUID keyId = request.keyId();
        Client client = request.client();
        // An injected refusal says nothing about rights.
        boolean refused = request.status() == FORBIDDEN && request.fault() == null;
        if (refused && keyId != null && client != null) {
            Origin from = Origin.of(client.address());
            count(
                    new Attempts(keyId, Refusal.Cause.NO_RIGHT, from, request.operationId()),
                    new Tally(clock.now(), 1, client, request.requestId()));
        }
    }

    @Override
    public void failed(ApiKey key, Refusal.Cause cause, Client client) {
        count(
                new Attempts(key.id(), cause, Origin.of(client.address()), null),
                new Tally(clock.now(), 1, client, null));
    }

    /** What finds no room any more is in the log and in the metrics only. */
    private void count(Attempts attempts, Tally tally) {
        lock.lock();
        try {
            Tally known = tallies.get(attempts);
            if (known != null) {
                tallies.put(attempts, known.more(tally.count()));
            } else if (attempts.from() != null && ofKeys.getOrDefault(attempts.keyId(), 0) >= MAX_LINES_OF_A_KEY) {
                count(attempts.folded(), new Tally(tally.since(), tally.count(), null, null));
            } else if (tallies.size() < MAX_LINES) {
                tallies.put(attempts, tally);
                ofKeys.merge(attempts.keyId(), 1, Integer::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes what was counted for a first time before this moment; what cannot be written stays in memory. */
    private void keep(Instant before) {
        Map<Attempts, Tally> due = taken(before);
        List<Map.Entry<Attempts, Tally>> lines = new ArrayList<>(due.entrySet());
        int written = 0;
        try {
            while (written < lines.size()) {
                int end = Math.min(lines.size(), written + WRITTEN_AT_ONCE);
                List<Map.Entry<Attempts, Tally>> some = lines.subList(written, end);
                store.change(tables -> some.forEach(line -> write(tables, line.getKey(), line.getValue())));
                written = end;
            }
        } finally {
            lines.subList(written, lines.size()).forEach(line -> count(line.getKey(), line.getValue()));
        }
    }

    private Map<Attempts, Tally> taken(Instant before) {
        lock.lock();
        try {
            Map<Attempts, Tally> due = new LinkedHashMap<>();
            tallies.forEach((attempts, tally) -> {
                if (!tally.since().isAfter(before)) {
                    due.put(attempts, tally);
                }
            });
            due.keySet().forEach(attempts -> {
                tallies.remove(attempts);
                ofKeys.computeIfPresent(attempts.keyId(), (_, lines) -> lines > 1 ? lines - 1 : null);
            });
            return due;
        } finally {
            lock.unlock();
        }
    }

    private void write(Tables tables, Attempts attempts, Tally tally) {
        // None for a key that was deleted meanwhile.
        holder(tables, attempts.keyId()).ifPresent(holder -> {
            Instant now = clock.now();
            tables.of(Activity.KIND)
                    .insert(new Activity(
                            Head.of(tables.newId(now), holder.organizationId(), now),
                            attempts.cause().activityType(),
                            holder.actorType(),
                            holder.actorId(),
                            holder.name(),
                            tally.requestId(),
                            null,
                            attempts.keyId(),
                            tally.client(),
                            new Refusal(attempts.cause(), attempts.operationId(), tally.count(), tally.since()),
                            null));
        });
    }

    private static Optional<Holder> holder(Tables tables, UUID keyId) {
        return tables.of(ApiKey.KIND)
                .find(keyId)
                .map(key -> new Holder(key.organizationId(), "api", keyId, key.name()))
                .or(() -> tables.of(AlertsToken.KIND)
                        .find(keyId)
                        .map(token -> new Holder(token.organizationId(), "api", keyId, token.name())))
                .or(() -> MemberSignIn.find(tables, keyId)
                        .map(member -> new Holder(member.organizationId(), "user", member.userId(), member.email())));
    }

    private void forget() {
        retention.ifPresent(kept -> {
            Instant before = clock.now().minus(kept);
            // Looks at one line while none is old.
            boolean old = store.read(tables -> tables.of(Activity.KIND).all(Activity.BEGINNING, 1).stream()
                    .anyMatch(line -> line.createdAt().isBefore(before)));
            if (old) {
                store.write(tables -> ActivityLog.forget(tables, before, FORGOTTEN_AT_ONCE));
            }
        });
    }

    private void doOrLog(Runnable work) {
        try {
            work.run();
        } catch (StoreUnavailable e) {
            // The engine logs an outage of the store; here the lines just wait.
            LOG.log(Level.DEBUG, "Lines of the history wait for the store", e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "The history could not be kept", e);
        }
    }

    @Override
    public void close() {
        rounds.close();
        doOrLog(() -> keep(clock.now()));
    }
}
