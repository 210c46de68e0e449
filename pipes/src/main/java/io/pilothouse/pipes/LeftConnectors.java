package io.pilothouse.pipes;

import io.pilothouse.pipes.Connectors.Away;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The connectors of pipes that are to stand still: an earlier control plane may have ended before it stopped them. */
final class LeftConnectors {
    private static final Logger LOG = System.getLogger(LeftConnectors.class.getName());

    private final Connectors connectors;
    private final Predicate<UUID> runs;
    private final Duration pause;

    /** {@code runs} says which pipes run after all, and {@code pause} how long to wait where Kafka Connect is away. */
    LeftConnectors(Connectors connectors, Predicate<UUID> runs, Duration pause) {
        this.connectors = connectors;
        this.runs = runs;
        this.pause = pause;
    }

    /** Tries until all of them stand still or run again. */
    void stop(List<UUID> pipes) {
        List<UUID> left = new ArrayList<>(pipes);
        try {
            left.removeIf(this::isDone);
            while (!left.isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                left.removeIf(this::isDone);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isDone(UUID pipe) {
        if (runs.test(pipe)) {
            return true;
        }
        try {
            connectors.stop(ConnectCluster.name(pipe));
            return true;
        } catch (Away away) {
            LOG.log(
                    Level.INFO,
                    "The connector of the pipe {0}, which does not run, is not stopped yet: {1}",
                    pipe,
                    away.sentence());
            return false;
        }
    }
}
