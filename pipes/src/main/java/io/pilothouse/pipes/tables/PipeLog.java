package io.pilothouse.pipes.tables;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.Sql;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What went wrong with the pipes of a service, in a table there that forgets it after a week. It waits in memory while
 * the database does not run: nothing is woken for it. Safe for many threads.
 */
public final class PipeLog {
    private static final Logger LOG = System.getLogger(PipeLog.class.getName());

    private static final String DATABASE = "clickpipes";
    private static final String TABLE = DATABASE + ".clickpipes_log";

    /** For each service; the oldest give way. */
    private static final int MAX_WAITING = 100;

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);

    private final Databases databases;
    private final Function<UUID, Optional<Service>> services;
    private final PipeTables tables;
    private final Map<UUID, Deque<Line>> waiting = new HashMap<>();

    private record Line(Instant at, UUID pipe, String name, String source, String message) {
        static Line of(Instant at, Pipe pipe, String message) {
            return new Line(at, pipe.id(), pipe.name(), pipe.kind().member(), message);
        }

        String values() {
            return "(fromUnixTimestamp64Milli(toInt64(" + at.toEpochMilli() + ")), " + Sql.text(pipe.toString()) + ", "
                    + Sql.text(name) + ", " + Sql.text(source) + ", " + Sql.text(message) + ")";
        }
    }

    public PipeLog(Databases databases, Function<UUID, Optional<Service>> services) {
        this.databases = databases;
        this.services = services;
        this.tables = new PipeTables(databases);
    }

    /** Writes from now on what waits. */
    public void begin(Executor threads) {
        threads.execute(this::live);
    }

    /** Notes a sentence about a pipe. */
    public synchronized void note(Instant at, Pipe pipe, String sentence) {
        Deque<Line> lines = waiting.computeIfAbsent(pipe.serviceId(), _ -> new ArrayDeque<>());
        if (lines.size() == MAX_WAITING) {
            lines.removeFirst();
        }
        lines.addLast(Line.of(at, pipe, sentence));
        notifyAll();
    }

    private void live() {
        try {
            while (true) {
                awaitLines().forEach(this::tryToWrite);
                TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos());
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<UUID> awaitLines() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return List.copyOf(waiting.keySet());
    }

    private void tryToWrite(UUID service) {
        try {
            write(service);
        } catch (PlaneFault notNow) {
            LOG.log(Level.DEBUG, "The log of pipes of the service {0} waits: {1}", service, notNow.getMessage());
        } catch (RuntimeException bug) {
            LOG.log(Level.WARNING, "The log of pipes of the service " + service + " cannot be written", bug);
        }
    }

    /** Writes what waits for a service, if its database runs. */
    void write(UUID service) throws PlaneFault {
        Optional<Service> found = services.apply(service);
        List<Line> lines = lines(service);
        if (found.isEmpty()) {
            forget(service, lines);
        } else if (!lines.isEmpty() && databases.pipeLogin(found.get()).isPresent()) {
            try {
                insert(service, lines);
            } catch (PipeTables.Unfit unfit) {
                // As where somebody has a table of that name: it would be refused again and again.
                LOG.log(Level.DEBUG, "The service {0} takes no log of pipes: {1}", service, unfit.getMessage());
            }
            forget(service, lines);
        }
    }

    private void insert(UUID service, List<Line> lines) throws PlaneFault, PipeTables.Unfit {
        tables.ask(service, "CREATE DATABASE IF NOT EXISTS " + DATABASE);
        tables.ask(
                service,
                "CREATE TABLE IF NOT EXISTS " + TABLE + " (_timestamp DateTime64(3), pipe String, name String,"
                        + " source LowCardinality(String), message String) ENGINE = MergeTree ORDER BY _timestamp"
                        + PipeTables.FOR_A_WEEK);
        tables.ask(
                service,
                "INSERT INTO " + TABLE + " VALUES "
                        + lines.stream().map(Line::values).collect(Collectors.joining(", ")));
    }

    private synchronized List<Line> lines(UUID service) {
        return List.copyOf(waiting.getOrDefault(service, new ArrayDeque<>()));
    }

    private synchronized void forget(UUID service, List<Line> written) {
        waiting.computeIfPresent(service, (_, lines) -> {
            lines.removeAll(written);
            return lines.isEmpty() ? null : lines;
        });
    }
}
