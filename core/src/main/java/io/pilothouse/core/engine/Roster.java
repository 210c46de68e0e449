package io.pilothouse.core.engine;

import io.pilothouse.core.port.Tasks.Claim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The passes that run now, in the order in which they began. One that takes long gives its place to others, so that
 * slow services hold up no others, nor each other. Safe for many threads; holds at most the two limits together.
 */
final class Roster {
    private final DispatchLimits limits;
    private final Map<Claim, Entry> running = new LinkedHashMap<>();

    Roster(DispatchLimits limits) {
        this.limits = limits;
    }

    private record Entry(Instant begun, Instant leaseUntil) {}

    synchronized void add(Claim claim, Instant now, Instant leaseUntil) {
        running.put(claim, new Entry(now, leaseUntil));
    }

    synchronized void remove(Claim claim) {
        running.remove(claim);
    }

    synchronized int size() {
        return running.size();
    }

    synchronized List<Claim> claims() {
        return List.copyOf(running.keySet());
    }

    /** How many more passes may begin now. */
    synchronized int free(Instant now) {
        int prompt = 0;
        for (Entry entry : running.values()) {
            if (entry.begun.plus(limits.slowAfter()).isAfter(now)) {
                prompt++;
            }
        }
        return Math.min(limits.slots() - prompt, limits.slots() + limits.slowPasses() - running.size());
    }

    /** When the next pass will count as slow, so that its place is free. */
    synchronized Instant nextSlow(Instant now, Instant atMost) {
        for (Entry entry : running.values()) {
            Instant slow = entry.begun.plus(limits.slowAfter());
            if (slow.isAfter(now)) {
                return slow.isBefore(atMost) ? slow : atMost;
            }
        }
        return atMost;
    }

    /** The passes whose lease has less than half of its time left. */
    synchronized List<Claim> toExtend(Instant now) {
        List<Claim> due = new ArrayList<>();
        running.forEach((claim, entry) -> {
            if (!extensionOf(entry).isAfter(now)) {
                due.add(claim);
            }
        });
        return due;
    }

    synchronized Instant nextExtension(Instant atMost) {
        Instant first = atMost;
        for (Entry entry : running.values()) {
            Instant extension = extensionOf(entry);
            first = extension.isBefore(first) ? extension : first;
        }
        return first;
    }

    /** A pass that ended meanwhile stays ended. */
    synchronized void extended(Claim claim, Instant leaseUntil) {
        running.computeIfPresent(claim, (_, entry) -> new Entry(entry.begun, leaseUntil));
    }

    private Instant extensionOf(Entry entry) {
        return entry.leaseUntil.minusNanos(limits.lease().toNanos() / 2);
    }
}
