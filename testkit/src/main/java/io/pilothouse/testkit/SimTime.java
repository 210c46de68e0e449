package io.pilothouse.testkit;

import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test moves it, with events at later moments; due events happen in order, on the thread
 * that moves the time. Safe for many threads.
 */
public final class SimTime implements Clock {
    private final PriorityQueue<Plan> plans =
            new PriorityQueue<>(Comparator.comparing(Plan::at).thenComparingLong(Plan::number));
    private Instant now;
    private long planned;

    public SimTime() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public SimTime(Instant start) {
        this.now = start;
    }

    private record Plan(Instant at, long number, Runnable event) {}

    @Override
    public synchronized Instant now() {
        return now;
    }

    /** Has this happen when the time comes; at the next move of time if it has come already. */
    public synchronized void at(Instant moment, Runnable event) {
        plans.add(new Plan(moment, planned++, event));
    }

    public void advance(Duration by) {
        advanceTo(now().plus(by));
    }

    /** Sets the time back, as an operator can; what is planned happens at the same moments all the same. */
    public synchronized void setBack(Duration by) {
        now = now.minus(by);
    }

    /** Moves the time on, stopping at everything planned on the way; never moves it back. */
    public void advanceTo(Instant moment) {
        for (Plan plan = next(moment); plan != null; plan = next(moment)) {
            plan.event().run();
        }
    }

    private synchronized @Nullable Plan next(Instant moment) {
        Plan first = plans.peek();
        if (first == null || first.at().isAfter(moment)) {
            now = moment.isAfter(now) ? moment : now;
            return null;
        }
        now = first.at().isAfter(now) ? first.at() : now;
        return plans.poll();
    }
}
