package io.pilothouse.plane.local.user;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Which service has which number of a user. One that was freed is given again only after all others, because a file
 * of its old service may have been overlooked somewhere. Safe for many threads.
 */
public final class UserNumbers {
    private final UserRange range;
    private final BitSet taken = new BitSet();
    private final Map<UUID, Integer> services = new HashMap<>();
    private int next;

    public UserNumbers(UserRange range) {
        this.range = range;
        this.next = range.first() + 1;
    }

    UserRange range() {
        return range;
    }

    /** Records that a service has this number already; one that is no service's, or another's, is ignored. */
    public synchronized void remember(UUID id, int number) {
        if (range.hasService(number) && !taken.get(number - range.first())) {
            take(id, number);
            next = Math.max(next, number + 1);
        }
    }

    /** The number that the service has, or gets now; empty if there is none left. */
    public synchronized Optional<Integer> of(UUID id) {
        Integer known = services.get(id);
        if (known != null) {
            return Optional.of(known);
        }
        int number = range.first() + taken.nextClearBit(next - range.first());
        if (!range.hasService(number)) {
            number = range.first() + taken.nextClearBit(1);
        }
        if (!range.hasService(number)) {
            return Optional.empty();
        }
        take(id, number);
        next = number + 1;
        return Optional.of(number);
    }

    private void take(UUID id, int number) {
        taken.set(number - range.first());
        services.put(id, number);
    }

    public synchronized void release(UUID id) {
        Optional.ofNullable(services.remove(id)).ifPresent(number -> taken.clear(number - range.first()));
    }
}
