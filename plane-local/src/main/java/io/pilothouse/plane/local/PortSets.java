package io.pilothouse.plane.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntPredicate;

/**
 * Which service has which ports. A set belongs to a service for as long as its folder is there, and no other gets it
 * meanwhile. Safe for many threads; it trusts that no second plane works on the same folders.
 */
public final class PortSets {
    private final PortRange range;
    private final IntPredicate free;
    private final Map<UUID, PortSet> taken = new HashMap<>();

    /** The ports that may be given out, both ends included. */
    public record PortRange(int first, int last) {
        public PortRange {
            if (first < 1024 || last > 65_535 || last - first + 1 < PortSet.SIZE) {
                throw new IllegalArgumentException("The database ports " + first + " to " + last
                        + " are not a range within 1024 to 65535 with room for one service.");
            }
        }
    }

    PortSets(PortRange range, IntPredicate free) {
        this.range = range;
        this.free = free;
    }

    static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Records that a service has this set already, as its folder says. */
    synchronized void remember(UUID id, PortSet ports) {
        taken.put(id, ports);
    }

    synchronized Optional<PortSet> of(UUID id) {
        return Optional.ofNullable(taken.get(id));
    }

    /** Gives the service a set of which every port is free right now, in place of the one it has, if any. */
    synchronized PortSet give(UUID id) throws DatabaseFailure {
        Collection<PortSet> others = taken.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(id))
                .map(Map.Entry::getValue)
                .toList();
        for (int first = range.first(); first + PortSet.SIZE - 1 <= range.last(); first += PortSet.SIZE) {
            PortSet candidate = new PortSet(first);
            // Sets of an earlier range may lie across the steps of this one.
            boolean disjoint =
                    others.stream().noneMatch(other -> Math.abs(other.http() - candidate.http()) < PortSet.SIZE);
            if (disjoint && candidate.all().allMatch(free)) {
                taken.put(id, candidate);
                return candidate;
            }
        }
        throw new DatabaseFailure("All database ports from " + range.first() + " to " + range.last() + " are taken.");
    }

    synchronized void release(UUID id) {
        taken.remove(id);
    }
}
