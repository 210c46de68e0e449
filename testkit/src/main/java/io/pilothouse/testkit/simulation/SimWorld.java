package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Time, chance and order: what happens, one after another, on the thread that lets time pass. Something that takes time
 * lets everything else happen meanwhile, inside its own call, so that calls overlap as they do between threads. What
 * was begun later ends earlier then, which is all that one thread can do. The same seed gives the same history.
 */
final class SimWorld implements Clock {
    static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    /** As deep as the calls of a process lie in each other. */
    private static final int MAX_DEPTH = 6;

    private static final Duration TICK = Duration.ofNanos(1_000);

    private final SplittableRandom chance;
    private final SimTrace trace;

    /** A call that lies deeper takes its time while nothing else happens. */
    private final int deepest;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));
    private Consumer<Set<Kind<?>>> afterEach = _ -> {};
    private Instant now = BEGINNING;
    private long planned;
    private long steps;
    private int depth;
    private final Set<Kind<?>> touched = new HashSet<>();

    SimWorld(long seed, SimTrace trace, int processes) {
        this.chance = new SplittableRandom(seed);
        this.trace = trace;
        this.deepest = MAX_DEPTH * processes;
    }

    /** Something that is to happen. */
    record Event(Instant at, long number, String what, Runnable happening) {}

    /** Hears after each event, at whatever depth, of what it may have changed. */
    void afterEach(Consumer<Set<Kind<?>>> check) {
        afterEach = check;
    }

    SplittableRandom chance() {
        return chance;
    }

    SimTrace trace() {
        return trace;
    }

    long steps() {
        return steps;
    }

    /** Each look at the clock takes a moment, so that no two things are of the same one. */
    @Override
    public Instant now() {
        now = now.plus(TICK);
        return now;
    }

    Event after(Duration pause, String what, Runnable happening) {
        Event event = new Event(now.plus(pause), planned++, what, happening);
        events.add(event);
        return event;
    }

    void cancel(Event event) {
        events.remove(event);
    }

    /** This takes so much time, in which other things happen. */
    void pass(Duration time) {
        Instant until = now.plus(time);
        if (depth < deepest) {
            runUntil(until);
        } else if (now.isBefore(until)) {
            now = until;
        }
    }

    /** Lets everything happen that is due until then. */
    void runUntil(Instant until) {
        for (Event first = events.peek(); first != null && !first.at().isAfter(until); first = events.peek()) {
            events.remove();
            now = first.at().isAfter(now) ? first.at() : now;
            happen(first);
        }
        now = until.isAfter(now) ? until : now;
    }

    private void happen(Event event) {
        steps++;
        trace.add(now, depth, event.what());
        depth++;
        try {
            event.happening().run();
        } finally {
            depth--;
        }
        if (!touched.isEmpty()) {
            Set<Kind<?>> changed = Set.copyOf(touched);
            touched.clear();
            afterEach.accept(changed);
        }
    }

    /** Things of this kind may have changed, so that they have to be looked at after this event. */
    void touch(Kind<?> kind) {
        touched.add(kind);
    }

    boolean likely(double probability) {
        return chance.nextDouble() < probability;
    }

    /** A time up to this one; short ones are as likely as long ones, in orders of magnitude. */
    Duration upTo(Duration longest) {
        double exponent = chance.nextDouble() * Math.log(longest.toNanos() / 1_000.0);
        return Duration.ofNanos(Math.round(1_000 * Math.exp(exponent)));
    }
}
