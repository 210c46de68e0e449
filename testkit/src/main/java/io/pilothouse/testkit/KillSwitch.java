package io.pilothouse.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Kills the process at chosen ones of the points it passes, counted from 1. A walk first runs with no kill and learns
 * how many points there are, then runs once for each. Safe for many threads.
 */
public final class KillSwitch {
    private final List<String> passed = new ArrayList<>();
    private final Set<Integer> fatal;

    public KillSwitch(Set<Integer> fatal) {
        this.fatal = Set.copyOf(fatal);
    }

    /** The process is at this point, and dies here if the point is a fatal one. */
    public synchronized void pass(String where) {
        passed.add(where);
        if (fatal.contains(passed.size())) {
            throw new Killed(where);
        }
    }

    public synchronized List<String> passed() {
        return List.copyOf(passed);
    }
}
