package io.pilothouse.server.metrics;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.figure.PulseHistory;
import io.pilothouse.core.figure.PulseRound;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Looks at the databases that run once in each minute, for the plots of the console. */
public final class PulseKeeper implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PulseKeeper.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int SECONDS_OF_MINUTE = 60;

    private final Clock clock;
    private final PulseHistory history;
    private final PulseRound round;
    private final Rounds rounds = new Rounds();
    private long last = Long.MIN_VALUE;

    private PulseKeeper(DatabaseFigures databases, Clock clock, Executor threads) {
        this.clock = clock;
        this.history = new PulseHistory(clock.now());
        this.round = new PulseRound(databases, history, threads);
    }

    /** One that looks from now on, where its history is wanted. */
    public static PulseKeeper over(DatabaseFigures databases, Clock clock, Executor threads, boolean wanted) {
        PulseKeeper keeper = new PulseKeeper(databases, clock, threads);
        if (wanted) {
            Thread.ofPlatform().daemon().name("pulse-keeper").start(() -> keeper.rounds.run(PAUSE, keeper::turn));
        }
        return keeper;
    }

    public PulseHistory history() {
        return history;
    }

    private void turn() {
        long minute = Math.floorDiv(clock.now().getEpochSecond(), (long) SECONDS_OF_MINUTE);
        if (minute == last) {
            return;
        }
        last = minute;
        try {
            round.run(clock.now());
        } catch (PlaneFault | RuntimeException e) {
            LOG.log(Level.ERROR, "The plots of the console have no figures of this minute", e);
        }
    }

    @Override
    public void close() {
        rounds.close();
    }
}
