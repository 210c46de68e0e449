package io.pilothouse.bench;

import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.ServiceSample;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Fills the store of a stopped program with services that run and were looked at within the last hour. */
final class Fill {
    private static final int BATCH = 1000;
    private static final Duration ROUND = Duration.ofHours(1);

    private Fill() {}

    /** Adds this many services, and returns the ids of some, spread over all. */
    static List<UUID> services(Path data, UUID organization, int count, int sampled) {
        List<UUID> sample = new ArrayList<>();
        Instant now = Instant.now();
        try (Store store = SqliteStore.open(data, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE)) {
            for (int first = 0; first < count; first += BATCH) {
                List<UUID> ids = new ArrayList<>();
                Instant made = now.minus(ROUND).plusMillis(first);
                for (int number = first; number < Math.min(count, first + BATCH); number++) {
                    ids.add(RowIds.at(made));
                }
                store.write(tables -> {
                    Seen running = new Seen(Condition.RUNNING, true, "25.8-simulated", null, made);
                    for (UUID id : ids) {
                        tables.of(Service.KIND)
                                .insert(ServiceSample.wanted(id, organization, made)
                                        .withSeen(running));
                        tables.tasks().wake(Tasks.Kind.SERVICE, id, Urgency.ROUTINE, made);
                    }
                    for (Claim claim : tables.tasks().claim("fill", made, made.plusSeconds(1), ids.size())) {
                        Instant next =
                                now.plusSeconds(ThreadLocalRandom.current().nextLong(60, ROUND.toSeconds()));
                        tables.tasks().release(claim, new Release(next, Urgency.ROUTINE, 0, true), made);
                    }
                    return ids.size();
                });
                int wanted = (int) ((long) sampled * (first + ids.size()) / count);
                ids.stream().limit(Math.max(0, wanted - sample.size())).forEach(sample::add);
            }
        }
        return sample;
    }
}
