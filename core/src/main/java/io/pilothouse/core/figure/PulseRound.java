package io.pilothouse.core.figure;

import io.pilothouse.core.port.PlaneFault;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Asks the databases that run how their last minute was, several at a time, and keeps what they say. Where more run than
 * there is room for, it is always the same that are asked: those with the first ids, which are the oldest.
 */
public final class PulseRound {
    private static final Logger LOG = System.getLogger(PulseRound.class.getName());
    private static final int AT_ONCE = 4;
    private static final Duration EACH = Duration.ofSeconds(2);

    private final DatabaseFigures databases;
    private final PulseHistory history;
    private final Executor threads;
    private final Semaphore places = new Semaphore(AT_ONCE);

    public PulseRound(DatabaseFigures databases, PulseHistory history, Executor threads) {
        this.databases = databases;
        this.history = history;
        this.threads = threads;
    }

    /**
     * Returns when all have answered, or have had their time.
     *
     * @throws PlaneFault if the plane cannot say which run
     */
    public void run(Instant now) throws PlaneFault {
        List<CompletableFuture<Void>> asked = databases.running().stream()
                .sorted()
                .limit(PulseHistory.MAX_SERVICES)
                .map(id -> CompletableFuture.runAsync(() -> ask(id, now), threads))
                .toList();
        asked.forEach(CompletableFuture::join);
    }

    private void ask(UUID id, Instant now) {
        places.acquireUninterruptibly();
        try {
            databases.pulse(id, EACH).ifPresent(pulse -> history.add(id, now, pulse));
        } catch (PlaneFault unanswered) {
            // A gap in a plot says it to those who look.
            LOG.log(Level.DEBUG, "The plots of the service " + id + " have a gap", unanswered);
        } catch (RuntimeException failure) {
            // What is wrong with one database keeps no other from being asked.
            LOG.log(Level.WARNING, "The plots of the service " + id + " have a gap", failure);
        } finally {
            places.release();
        }
    }
}
