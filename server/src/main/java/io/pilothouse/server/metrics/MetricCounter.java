package io.pilothouse.server.metrics;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RequestRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the requests of each organization by the minute, in memory first and every few seconds in the store, where
 * alerts read them. Counts that a killed process had not yet kept are lost. Safe for many threads.
 */
public final class MetricCounter implements RequestObserver, AutoCloseable {
    private static final Logger LOG = System.getLogger(MetricCounter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration KEPT = Duration.ofDays(3);
    private static final Duration LONG_OVER = Duration.ofMinutes(5);
    private static final int FORGOTTEN_EACH_TIME = 1_000;

    private final Store store;
    private final Clock clock;
    private final ConcurrentHashMap<Cell, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, UUID> organizations = new ConcurrentHashMap<>();
    private final Rounds rounds = new Rounds();

    /** The key of a count: the caller, the outcome and the minute. */
    private record Cell(UUID keyId, int statusClass, Instant minute) {}

    /** A count that was taken out of memory and has yet to be kept. */
    private record Taken(Cell cell, long count) {}

    public MetricCounter(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Keeps what was counted every few seconds from now on. */
    public void start() {
        Thread.ofPlatform().daemon().name("metric-counter").start(() -> rounds.run(PAUSE, this::keepOrLog));
    }

    @Override
    public void observe(RequestRecord request) {
        UUID keyId = request.keyId();
        int statusClass = request.status() / 100;
        if (keyId != null && statusClass >= 2 && statusClass <= 5) {
            Cell cell = new Cell(keyId, statusClass, clock.now().truncatedTo(ChronoUnit.MINUTES));
            counts.computeIfAbsent(cell, _ -> new AtomicLong()).incrementAndGet();
        }
    }

    /** Keeps everything that was counted so far; counts that cannot be kept stay in memory. */
    void keep() {
        Instant now = clock.now();
        List<Taken> taken = new ArrayList<>();
        counts.forEach((cell, count) -> {
            long value = count.getAndSet(0);
            if (value > 0) {
                taken.add(new Taken(cell, value));
            } else if (cell.minute().isBefore(now.minus(LONG_OVER))) {
                // Nothing is counted for a minute that is long over.
                counts.remove(cell, count);
            }
        });
        if (taken.isEmpty()) {
            return;
        }
        boolean kept = false;
        try {
            store.read(tables -> {
                taken.forEach(each -> learnOrganization(tables, each.cell().keyId()));
                return now;
            });
            store.write(tables -> {
                taken.forEach(each -> keep(tables, each));
                return tables.metricPoints().forget(now.minus(KEPT), FORGOTTEN_EACH_TIME);
            });
            kept = true;
        } finally {
            if (!kept) {
                taken.forEach(each -> counts.computeIfAbsent(each.cell(), _ -> new AtomicLong())
                        .addAndGet(each.count()));
            }
        }
    }

    private void keep(Tables tables, Taken taken) {
        UUID organizationId = organizations.get(taken.cell().keyId());
        // None for a key that was deleted right after its first use.
        if (organizationId != null) {
            String series = MetricReader.REQUESTS + taken.cell().statusClass() + "xx";
            tables.metricPoints().add(organizationId, series, taken.cell().minute(), taken.count());
        }
    }

    private void learnOrganization(Tables tables, UUID keyId) {
        if (!organizations.containsKey(keyId)) {
            tables.of(ApiKey.KIND)
                    .find(keyId)
                    .map(ApiKey::organizationId)
                    .or(() -> tables.of(AlertsToken.KIND).find(keyId).map(AlertsToken::organizationId))
                    .or(() -> MemberSignIn.find(tables, keyId).map(MemberSignIn.Membership::organizationId))
                    .ifPresent(organizationId -> organizations.put(keyId, organizationId));
        }
    }

    /** Keeps everything that was counted so far; where that fails, it says so in the log and is tried again later. */
    public void keepOrLog() {
        try {
            keep();
        } catch (StoreUnavailable e) {
            // The engine logs an outage of the store; here the counts just wait.
            LOG.log(Level.DEBUG, "The counts of requests wait for the store", e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "The counts of requests could not be kept", e);
        }
    }

    @Override
    public void close() {
        rounds.close();
        keepOrLog();
    }
}
