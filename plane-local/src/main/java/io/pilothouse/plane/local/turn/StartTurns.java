package io.pilothouse.plane.local.turn;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides which database may start now: few at once, no more in all than the machine's memory holds, and first come
 * first served. One that nobody asks after for a while loses its turn, and so holds up no other. Safe for many threads.
 */
public final class StartTurns {
    private static final long TURN_LOST_AFTER = Duration.ofSeconds(30).toNanos();

    private final Budget budget;
    private final long longestStart;
    private final LongSupplier nanos;
    private final Consumer<UUID> turn;
    private final Map<UUID, Place> places = new HashMap<>();
    private final Map<UUID, Long> waiting = new LinkedHashMap<>();

    /** One that has been admitted; its process may not be there yet, and it may not answer yet. */
    private record Place(Stage stage, long since) {}

    private enum Stage {
        LAUNCHING,
        STARTING,
        RUNNING
    }

    /** A start counts as one for {@code longestStart} at most; {@code turn} is called for who may start at last. */
    public StartTurns(Budget budget, Duration longestStart, LongSupplier nanos, Consumer<UUID> turn) {
        this.budget = budget;
        this.longestStart = longestStart.toNanos();
        this.nanos = nanos;
        this.turn = turn;
    }

    /** Empty if it may start now, for which it then has its place; otherwise why it waits, as a sentence. */
    public synchronized Optional<String> ask(UUID id) {
        Optional<String> reason = places.containsKey(id) ? Optional.empty() : reason(id);
        if (reason.isPresent()) {
            waiting.put(id, nanos.getAsLong());
        } else {
            begin(id);
        }
        return reason;
    }

    /** Why it waits; empty if it does not wait, or if its turn has come. */
    public synchronized Optional<String> waits(UUID id) {
        if (!waiting.containsKey(id)) {
            return Optional.empty();
        }
        waiting.put(id, nanos.getAsLong());
        return reason(id);
    }

    /** Whether any waits for another one to stop or to have started. */
    public synchronized boolean anyWaits() {
        forgetTheSilent();
        return !waiting.isEmpty();
    }

    /** It is started whatever the others do, as one that is restarted. */
    public synchronized void begin(UUID id) {
        waiting.remove(id);
        places.put(id, new Place(Stage.LAUNCHING, nanos.getAsLong()));
    }

    /** Its process is there. */
    public synchronized void launched(UUID id) {
        places.put(id, new Place(Stage.STARTING, nanos.getAsLong()));
    }

    /** It answers, no matter who started it. */
    public void answers(UUID id) {
        List<UUID> next;
        synchronized (this) {
            waiting.remove(id);
            Place before = places.put(id, new Place(Stage.RUNNING, nanos.getAsLong()));
            next = before == null || before.stage() == Stage.RUNNING ? List.of() : next();
        }
        next.forEach(turn);
    }

    /** Its process was seen to have ended, or never to have been there. */
    public void ended(UUID id) {
        List<UUID> next;
        synchronized (this) {
            Place place = places.get(id);
            boolean gone = place != null && place.stage() != Stage.LAUNCHING;
            next = gone && places.remove(id) != null ? next() : List.of();
        }
        next.forEach(turn);
    }

    /** It is not to run any more. */
    public void leave(UUID id) {
        List<UUID> next;
        synchronized (this) {
            boolean waited = waiting.remove(id) != null;
            boolean had = places.remove(id) != null;
            next = waited || had ? next() : List.of();
        }
        next.forEach(turn);
    }

    /** Those that may start now: behind the first one that may not, none may. */
    private List<UUID> next() {
        forgetTheSilent();
        return List.copyOf(waiting.keySet()).stream()
                .takeWhile(id -> reason(id).isEmpty())
                .toList();
    }

    private void forgetTheSilent() {
        long now = nanos.getAsLong();
        waiting.values().removeIf(asked -> now - asked > TURN_LOST_AFTER);
    }

    private Optional<String> reason(UUID id) {
        forgetTheSilent();
        long now = nanos.getAsLong();
        long ahead =
                waiting.keySet().stream().takeWhile(other -> !other.equals(id)).count();
        if (places.size() + ahead >= budget.databases()) {
            return Optional.of("It waits until another database stops: the memory for databases on this machine holds "
                    + budget.databases() + " of them.");
        }
        long starting = places.values().stream()
                .filter(place -> place.stage() != Stage.RUNNING && now - place.since() < longestStart)
                .count();
        return starting + ahead >= budget.startsAtOnce()
                ? Optional.of("It waits until other databases of this machine have started.")
                : Optional.empty();
    }
}
