package io.pilothouse.core.figure;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * One round of asking the databases of services for their figures: several at a time, each for a short while, and all
 * of them for less than those who watch usually wait. What did not answer in time has failed.
 */
public final class FigureRound {
    private static final Logger LOG = System.getLogger(FigureRound.class.getName());
    private static final int AT_ONCE = 8;
    private static final Duration EACH = Duration.ofSeconds(2);
    private static final Duration TOGETHER = Duration.ofSeconds(7);

    private final DatabaseFigures databases;
    private final Executor threads;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final long end;

    public FigureRound(DatabaseFigures databases, Executor threads) {
        this(databases, threads, TOGETHER);
    }

    /** One that asks nobody any more once this time is over. */
    public FigureRound(DatabaseFigures databases, Executor threads, Duration together) {
        this.databases = databases;
        this.threads = threads;
        this.end = System.nanoTime() + together.toNanos();
    }

    /** What came of asking for one service; one whose database does not run has no figures, and that is no failure. */
    public record Reading(Service service, List<Figure> figures, boolean failed) {
        public Reading {
            figures = List.copyOf(figures);
        }

        private static Reading nothing(Service service, boolean failed) {
            return new Reading(service, List.of(), failed);
        }
    }

    /** The readings of these services, in their order. */
    public List<Reading> read(List<Service> services) {
        List<CompletableFuture<Reading>> readings = services.stream()
                .map(service -> service.seen().condition() == Condition.RUNNING
                        ? CompletableFuture.supplyAsync(() -> inTurn(service), threads)
                        : CompletableFuture.completedFuture(Reading.nothing(service, false)))
                .toList();
        return readings.stream().map(CompletableFuture::join).toList();
    }

    private Reading inTurn(Service service) {
        places.acquireUninterruptibly();
        try {
            return read(service);
        } finally {
            places.release();
        }
    }

    private Reading read(Service service) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (!left.isPositive()) {
            return Reading.nothing(service, true);
        }
        try {
            Optional<List<Figure>> found = databases.read(service, left.compareTo(EACH) < 0 ? left : EACH);
            return new Reading(service, found.orElse(List.of()), false);
        } catch (PlaneFault unanswered) {
            // Seen by those who watch too, and asked for every few seconds.
            LOG.log(Level.DEBUG, "The figures of the service " + service.id() + " are missing", unanswered);
            return Reading.nothing(service, true);
        }
    }
}
