package io.pilothouse.plane.simulated;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Backups of databases that do not exist: each takes its time, has no bytes, and is there. It remembers one only for as
 * long as the engine may still ask about it; backups that a restart forgets are begun again. Safe for many threads.
 */
public final class SimulatedBackups implements Backups {
    /** After this, the engine no longer asks about a finished one. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Clock clock;
    private final Duration time;
    private final Map<UUID, Instant> readyAt = new LinkedHashMap<>();

    public SimulatedBackups(Clock clock, Duration time) {
        this.clock = clock;
        this.time = time;
    }

    @Override
    public synchronized void begin(Service service, UUID backupId) {
        Instant now = clock.now();
        // They were begun in this order, so the oldest ones are first.
        Iterator<Instant> oldest = readyAt.values().iterator();
        while (oldest.hasNext() && oldest.next().plus(REMEMBERED).isBefore(now)) {
            oldest.remove();
        }
        readyAt.putIfAbsent(backupId, now.plus(time));
    }

    @Override
    public synchronized Progress observe(UUID serviceId, UUID backupId) {
        Instant ready = readyAt.get(backupId);
        if (ready == null) {
            return new Progress.Unknown();
        }
        return clock.now().isBefore(ready) ? new Progress.UnderWay() : new Progress.Finished(Archive.of(0));
    }

    @Override
    public synchronized void drop(UUID serviceId, UUID backupId) {
        readyAt.remove(backupId);
    }

    /** Forgets what it remembers of the backups with these ids: of them it believes their rows alone from now on. */
    public synchronized void forget(Set<UUID> ids) {
        readyAt.keySet().removeAll(ids);
    }

    /** How many are remembered. */
    synchronized int remembered() {
        return readyAt.size();
    }
}
