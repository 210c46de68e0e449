package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.port.PlaneFault;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * How much sources keep for pipes that stand still: it grows just then, and no worker is there to say so. Each such pipe
 * is visited now and then, few at once and with a pause after each, so that many of them come less often and cost no
 * more. Safe for many threads.
 */
final class StandingSlots {
    private static final Logger LOG = System.getLogger(StandingSlots.class.getName());
    private static final int AT_ONCE = 2;
    /** One source that does not answer holds up no more than the others of its round. */
    private static final int MAX_OF_A_ROUND = 25;

    private static final int MEBIBYTE_BITS = 20;

    private final Function<UUID, Optional<Pipe>> standing;
    private final Visit visit;
    private final Pace pace;
    private final Queue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    /** For each pipe that stands still, which time it does. */
    private final Map<UUID, Long> watched = new HashMap<>();

    private final Map<UUID, PipeFigures> measured = new ConcurrentHashMap<>();
    private final ByOrganization byOrganization = new ByOrganization();
    private long times;
    private boolean closed;

    /** When a pipe is visited next, if it has not run since, and how long it is to the visit after, should that fail. */
    private record Due(long at, UUID pipe, long time, Duration retry) {}

    /** The ids of some pipes, by their organizations. Safe for many threads. */
    static final class ByOrganization {
        private final Map<UUID, Set<UUID>> ids = new ConcurrentHashMap<>();

        void add(Pipe pipe) {
            ids.compute(pipe.organizationId(), (_, known) -> {
                Set<UUID> all = known == null ? ConcurrentHashMap.newKeySet() : known;
                all.add(pipe.id());
                return all;
            });
        }

        void remove(Pipe pipe) {
            ids.computeIfPresent(pipe.organizationId(), (_, known) -> {
                known.remove(pipe.id());
                return known.isEmpty() ? null : known;
            });
        }

        Set<UUID> of(UUID organization) {
            return ids.getOrDefault(organization, Set.of());
        }
    }

    /**
     * How long it is to the next visit of a pipe. After one that failed it is {@code firstRetry}, and twice as long after
     * each that fails again, up to {@code longestRetry}. Those that come due within {@code together} are visited in one
     * round, after which there is a pause.
     */
    record Pace(Duration again, Duration firstRetry, Duration longestRetry, Duration together, Duration pause) {
        static final Pace USUAL = new Pace(
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2));

        Duration retryAfter(Duration retry) {
            Duration twice = retry.plus(retry);
            return twice.compareTo(longestRetry) < 0 ? twice : longestRetry;
        }
    }

    /** Begins a round of visits to pipes of one organization. */
    @FunctionalInterface
    interface Visit {
        Visitor begin();
    }

    /** Goes from one source to the next. For one thread. */
    interface Visitor extends AutoCloseable {
        /** Asks the source of a pipe how many bytes it keeps for it; negative where it keeps none. */
        long bytes(Pipe pipe) throws PlaneFault;

        @Override
        void close();
    }

    /** {@code standing} finds a pipe that stands still and has a slot. */
    StandingSlots(Function<UUID, Optional<Pipe>> standing, Visit visit, Pace pace) {
        this.standing = standing;
        this.visit = visit;
        this.pace = pace;
    }

    void begin(ExecutorService threads) {
        for (int lane = 0; lane < AT_ONCE; lane++) {
            threads.execute(this::live);
        }
    }

    /** Has a pipe visited that has come to stand still. */
    synchronized void watch(UUID pipe) {
        if (!closed && !watched.containsKey(pipe)) {
            times++;
            watched.put(pipe, times);
            again(pipe, times, Duration.ZERO, pace.firstRetry());
        }
    }

    Optional<PipeFigures> find(UUID pipe) {
        return Optional.ofNullable(measured.get(pipe));
    }

    Set<UUID> ofOrganization(UUID organization) {
        return byOrganization.of(organization);
    }

    List<PipeFigures> all() {
        return List.copyOf(measured.values());
    }

    /** Forgets a pipe that has started, or is gone. */
    synchronized void forget(UUID pipe) {
        watched.remove(pipe);
        PipeFigures figures = measured.remove(pipe);
        if (figures != null) {
            byOrganization.remove(figures.pipe());
        }
    }

    /** Begins no visit any more: pipes that end from now on do so because this process does. */
    synchronized void close() {
        closed = true;
        watched.clear();
    }

    private void live() {
        try {
            while (true) {
                round(next());
                TimeUnit.NANOSECONDS.sleep(pace.pause().toNanos());
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first that is due, and those that come due soon after. */
    private synchronized List<Due> next() throws InterruptedException {
        while (true) {
            Due first = due.peek();
            long left = first == null ? Long.MAX_VALUE : first.at() - System.nanoTime();
            if (first != null && left <= 0) {
                long soon = System.nanoTime() + pace.together().toNanos();
                long all = due.stream().filter(one -> one.at() - soon <= 0).count();
                List<Due> round = new ArrayList<>();
                // The rest is for the others.
                long mine = Math.min(MAX_OF_A_ROUND, Math.ceilDiv(all, AT_ONCE));
                while (round.size() < mine) {
                    round.add(due.remove());
                }
                return round;
            }
            // At least a millisecond: zero has no end.
            wait(first == null ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
    }

    /** One visitor for each organization: what goes to the sources of one learns nothing of another. */
    private void round(List<Due> all) {
        Map<UUID, List<Stop>> stops = new LinkedHashMap<>();
        for (Due one : all) {
            if (isWatched(one.pipe(), one.time())) {
                standing(one)
                        .ifPresent(stop -> stops.computeIfAbsent(stop.pipe().organizationId(), _ -> new ArrayList<>())
                                .add(stop));
            }
        }
        for (List<Stop> ofOne : stops.values()) {
            try (Visitor visitor = visit.begin()) {
                ofOne.forEach(stop -> look(stop, visitor));
            }
        }
    }

    /** A pipe to visit, and for which turn. */
    private record Stop(Due due, Pipe pipe) {}

    private Optional<Stop> standing(Due now) {
        try {
            Optional<Pipe> pipe = standing.apply(now.pipe());
            if (pipe.isEmpty()) {
                forget(now.pipe());
            }
            return pipe.map(found -> new Stop(now, found));
        } catch (RuntimeException bug) {
            LOG.log(Level.WARNING, "The slot of the pipe " + now.pipe() + " cannot be measured", bug);
            retry(now);
            return Optional.empty();
        }
    }

    private synchronized void again(UUID pipe, long time, Duration after, Duration retry) {
        if (isWatched(pipe, time)) {
            due.add(new Due(System.nanoTime() + after.toNanos(), pipe, time, retry));
            notifyAll();
        }
    }

    private synchronized boolean isWatched(UUID pipe, long time) {
        return watched.getOrDefault(pipe, 0L) == time;
    }

    private void look(Stop stop, Visitor visitor) {
        Due now = stop.due();
        // It may have started since the round began.
        if (!isWatched(now.pipe(), now.time())) {
            return;
        }
        try {
            note(stop.pipe(), now.time(), visitor.bytes(stop.pipe()));
            again(now.pipe(), now.time(), pace.again(), pace.firstRetry());
        } catch (PlaneFault away) {
            LOG.log(Level.DEBUG, "The slot of the pipe {0} is not measured: {1}", now.pipe(), away.getMessage());
            retry(now);
        } catch (RuntimeException bug) {
            LOG.log(Level.WARNING, "The slot of the pipe " + now.pipe() + " cannot be measured", bug);
            retry(now);
        }
    }

    private void retry(Due failed) {
        again(failed.pipe(), failed.time(), failed.retry(), pace.retryAfter(failed.retry()));
    }

    private synchronized void note(Pipe pipe, long time, long bytes) {
        if (bytes < 0) {
            measured.remove(pipe.id());
            byOrganization.remove(pipe);
        } else if (isWatched(pipe.id(), time)) {
            Map<PipeFigure, Long> size = Map.of(PipeFigure.SLOT_MEBIBYTES, bytes >> MEBIBYTE_BITS);
            measured.put(pipe.id(), new PipeFigures(pipe, size, List.of()));
            byOrganization.add(pipe);
        }
    }
}
