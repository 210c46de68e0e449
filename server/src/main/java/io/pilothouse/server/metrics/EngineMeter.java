package io.pilothouse.server.metrics;

import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tasks.Backlog;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.http.metrics.MetricsText;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Counts what the engine does, by standing in front of its passes. Safe for many threads. */
public final class EngineMeter {
    private static final long[] PASS_MILLIS = {1, 5, 10, 50, 100, 500, 1_000, 5_000, 30_000};

    private final Store store;
    private final Clock clock;
    private final LongAdder failedPasses = new LongAdder();
    private final LongAdder failedCalls = new LongAdder();
    private final Distribution passMillis = new Distribution(PASS_MILLIS);

    public EngineMeter(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    public Pass counting(Pass pass) {
        return claim -> run(pass, claim);
    }

    private void run(Pass pass, Claim claim) {
        long began = System.nanoTime();
        boolean ended = false;
        try {
            pass.run(claim);
            ended = true;
        } finally {
            passMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            if (!ended) {
                failedPasses.increment();
            }
        }
    }

    /** A call to the outside failed, or did not come back in time. */
    public void callFailed() {
        failedCalls.increment();
    }

    public void write(MetricsText text, IntSupplier running, Supplier<Duration> sinceLastRound) {
        try {
            Backlog backlog = store.read(tables -> tables.tasks().backlog(clock.now()));
            text.single("pilothouse_engine_tasks_due", MetricsText.Kind.GAUGE, "Tasks that are due.", backlog.due());
            text.single(
                    "pilothouse_engine_tasks_unsettled",
                    MetricsText.Kind.GAUGE,
                    "Tasks whose subject is not yet as wanted.",
                    backlog.unsettled());
        } catch (StoreUnavailable unavailable) {
            // A gauge that is missing says so; the other metrics are wanted most in just this hour.
        }
        text.single(
                "pilothouse_engine_round_age_seconds",
                MetricsText.Kind.GAUGE,
                "Time since the engine last began to look for work.",
                MetricsText.seconds(sinceLastRound.get().toNanos()));
        text.single(
                "pilothouse_engine_passes_running", MetricsText.Kind.GAUGE, "Passes that run now.", running.getAsInt());
        text.family("pilothouse_engine_pass_seconds", MetricsText.Kind.HISTOGRAM, "How long passes took.");
        passMillis.write(
                text,
                "pilothouse_engine_pass_seconds",
                millis -> MetricsText.seconds(TimeUnit.MILLISECONDS.toNanos(millis)));
        text.single(
                "pilothouse_engine_passes_failed_total",
                MetricsText.Kind.COUNTER,
                "Passes that ended in an error.",
                failedPasses.sum());
        text.single(
                "pilothouse_engine_plane_faults_total",
                MetricsText.Kind.COUNTER,
                "Calls to data planes, runners of pipes and backups that failed or did not come back in time.",
                failedCalls.sum());
    }
}
