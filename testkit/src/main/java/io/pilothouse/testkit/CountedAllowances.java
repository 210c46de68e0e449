package io.pilothouse.testkit;

import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.StoreUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** Allowances in memory, for parts that several processes would ask; counts the trips, and can be away. */
public final class CountedAllowances implements Allowances {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int PARTS_OF_WHAT_IS_LEFT = 4;

    private final LongSupplier nanoTime;
    private final Map<String, Window> windows = new HashMap<>();
    private int trips;
    private boolean away;

    public CountedAllowances(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Window(long began, int used) {}

    /** From now on nobody is answered, or everybody again. */
    public synchronized void away(boolean next) {
        away = next;
    }

    /** How often somebody has asked. */
    public synchronized int trips() {
        return trips;
    }

    @Override
    public synchronized Map<String, Share> take(Set<String> names, int wanted, int most) {
        arrive();
        Map<String, Share> shares = new HashMap<>();
        for (String name : names) {
            Window window = current(name);
            int left = Math.max(0, most - window.used());
            int granted = Math.min(wanted, Math.ceilDiv(left, PARTS_OF_WHAT_IS_LEFT));
            windows.put(name, new Window(window.began(), window.used() + granted));
            shares.put(name, new Share(granted, left - granted, rest(window)));
        }
        return shares;
    }

    @Override
    public synchronized Map<String, Share> find(Set<String> names, int most) {
        arrive();
        Map<String, Share> shares = new HashMap<>();
        for (String name : names) {
            Window window = current(name);
            if (window.used() > 0) {
                shares.put(name, new Share(0, Math.max(0, most - window.used()), rest(window)));
            }
        }
        return shares;
    }

    private void arrive() {
        trips++;
        if (away) {
            throw new StoreUnavailable("The store is away", new IOException("no answer"));
        }
    }

    private Window current(String name) {
        long now = nanoTime.getAsLong();
        Window window = windows.get(name);
        return window == null || now - window.began() >= MINUTE ? new Window(now, 0) : window;
    }

    private Duration rest(Window window) {
        return Duration.ofNanos(window.began() + MINUTE - nanoTime.getAsLong());
    }
}
