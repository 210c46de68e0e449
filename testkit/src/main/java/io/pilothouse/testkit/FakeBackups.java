package io.pilothouse.testkit;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Backups in memory that a test can make fail; they outlive any number of control planes. Safe for many threads. */
public final class FakeBackups implements Backups {
    private final SimTime time;
    private final Duration copying;
    private final Map<UUID, Instant> readyAt = new TreeMap<>();
    private @Nullable String fault;
    private @Nullable String refusal;
    private @Nullable String verdict;

    public FakeBackups(SimTime time, Duration copying) {
        this.time = time;
        this.copying = copying;
    }

    /** From here on every call fails for this reason; none does for null. */
    public synchronized void breakDown(@Nullable String why) {
        fault = why;
    }

    /** From here on no service can be backed up, which is known beforehand. */
    public synchronized void refuse(@Nullable String why) {
        refusal = why;
    }

    /** From here on every backup that begins fails. */
    public synchronized void fail(@Nullable String why) {
        verdict = why;
    }

    /** The backups that exist, finished or not. */
    public synchronized Set<UUID> kept() {
        return new TreeSet<>(readyAt.keySet());
    }

    /** Forgets work under way, as a crash of the database does. */
    public synchronized void interrupt() {
        readyAt.values().removeIf(ready -> ready.isAfter(time.now()));
    }

    @Override
    public synchronized void begin(Service service, UUID backupId) throws PlaneFault {
        requireWorking();
        readyAt.putIfAbsent(backupId, time.now().plus(copying));
    }

    @Override
    public synchronized Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
        requireWorking();
        Instant ready = readyAt.get(backupId);
        if (ready == null) {
            return new Progress.Unknown();
        }
        if (verdict != null) {
            return new Progress.Failed(verdict);
        }
        return ready.isAfter(time.now()) ? new Progress.UnderWay() : new Progress.Finished(Archive.of(7));
    }

    @Override
    public synchronized void drop(UUID serviceId, UUID backupId) throws PlaneFault {
        requireWorking();
        readyAt.remove(backupId);
    }

    @Override
    public synchronized Optional<String> refusal(Service service) {
        return Optional.ofNullable(refusal);
    }

    private void requireWorking() throws PlaneFault {
        if (fault != null) {
            throw new PlaneFault(fault);
        }
    }
}
