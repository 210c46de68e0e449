package io.pilothouse.gateway.door;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Ports;
import io.pilothouse.gateway.GatewayProtocol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws ports that are worth trying: no service has them, no program listens on them, and those that were given back
 * come last, the oldest of them first. Whose they are the store alone decides. Safe for many threads.
 */
public final class GatewayPorts {
    private static final int OF_A_SERVICE = GatewayProtocol.values().length;

    private final Range range;
    private final IntPredicate bindable;
    private final Supplier<Ports.Known> known;
    private final Set<Integer> spokenFor;
    private final Consumer<List<Integer>> order;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Integer> candidates = new ArrayDeque<>();

    /** The ports that may be given out, both ends included. */
    public record Range(int first, int last) {
        private static final int HIGHEST = 65_535;

        public Range {
            if (first < 1 || last > HIGHEST || first > last) {
                throw new IllegalArgumentException("The gateway's port range must lie within 1 to " + HIGHEST + ", and "
                        + first + " to " + last + " does not");
            }
        }
    }

    /**
     * @param bindable whether a port is free on this machine
     * @param known what the store knows of ports
     * @param spokenFor ports that are in use although the store does not know
     */
    public GatewayPorts(
            Range range, IntPredicate bindable, Supplier<Ports.Known> known, Collection<Integer> spokenFor) {
        this(range, bindable, known, spokenFor, _ -> {});
    }

    /** {@code order} puts those in order that nobody has had, so that two who draw from one range seldom draw the same. */
    public GatewayPorts(
            Range range,
            IntPredicate bindable,
            Supplier<Ports.Known> known,
            Collection<Integer> spokenFor,
            Consumer<List<Integer>> order) {
        this.order = order;
        this.range = range;
        this.bindable = bindable;
        this.known = known;
        this.spokenFor = Set.copyOf(spokenFor);
    }

    /**
     * One for each protocol. They are not drawn again before all others were, so nothing has to be given back should
     * nothing come of it.
     *
     * @throws Refused if there are none left
     */
    public List<Integer> draw() {
        List<Integer> drawn = new ArrayList<>();
        boolean refilled = false;
        while (drawn.size() < OF_A_SERVICE) {
            Integer next = next();
            if (next != null) {
                if (!drawn.contains(next) && bindable.test(next)) {
                    drawn.add(next);
                }
            } else if (!refilled) {
                refilled = true;
                refill();
            } else {
                throw new Refused(Refused.Reason.CONFLICT, exhausted());
            }
        }
        return drawn;
    }

    /** Why there are none left for a new service; empty if there are. */
    public Optional<String> refusal() {
        lock.lock();
        try {
            refill();
            return candidates.size() < OF_A_SERVICE ? Optional.of(exhausted()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Integer next() {
        lock.lock();
        try {
            return candidates.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Asks the store again once nearly all that it knew to be free was drawn. */
    private void refill() {
        lock.lock();
        try {
            if (candidates.size() >= OF_A_SERVICE) {
                return;
            }
            candidates.clear();
            Ports.Known now = known.get();
            Set<Integer> used = new HashSet<>(now.free());
            used.addAll(now.reserved());
            List<Integer> fresh = new ArrayList<>();
            for (int port = range.first(); port <= range.last(); port++) {
                if (!used.contains(port)) {
                    fresh.add(port);
                }
            }
            order.accept(fresh);
            candidates.addAll(fresh);
            now.free().stream()
                    .filter(port -> port >= range.first() && port <= range.last())
                    .forEach(candidates::add);
            candidates.removeAll(spokenFor);
        } finally {
            lock.unlock();
        }
    }

    private String exhausted() {
        return "All ports of the gateway from " + range.first() + " to " + range.last()
                + " are taken: delete a service, or widen --gateway-ports.";
    }
}
