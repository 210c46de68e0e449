package io.pilothouse.incoming;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections that may be open at once. Each belongs to parties (an address, a tenant), and no party has more than
 * three quarters of all. Where there is no room, the connection that has been silent for longest makes some: first one
 * that never said a word, then one that rests between two requests. One at work is never ended. Safe for many threads.
 */
public final class Seats {
    /** What a connection with TLS costs while it carries nothing large. */
    private static final int EACH = 32 * 1024;

    private final int share;
    private final Group all;
    private final Map<Object, Group> parties = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    public Seats(int total) {
        this.share = total - total / 4;
        this.all = new Group(total);
    }

    private enum State {
        SILENT,
        BUSY,
        RESTING,
        GONE
    }

    /** As many as wanted, but no more than half of the heap has room for. */
    public static int atMost(int wanted) {
        long fit = Runtime.getRuntime().maxMemory() / 2 / EACH;
        return Math.clamp(fit, 1, wanted);
    }

    /** The seats of one party, or of all together. */
    private static final class Group {
        private final int most;
        private final LinkedHashSet<Seat> silent = new LinkedHashSet<>();
        private final LinkedHashSet<Seat> resting = new LinkedHashSet<>();
        private int taken;

        private Group(int most) {
            this.most = most;
        }

        private Optional<Seat> quietest() {
            return silent.isEmpty()
                    ? resting.stream().findFirst()
                    : silent.stream().findFirst();
        }
    }

    /** Someone who takes seats, and how many at most. */
    public record Party(Object name, int most) {}

    /** A party with the usual share. */
    public Party party(Object name) {
        return new Party(name, share);
    }

    /**
     * A seat for a connection of these parties; empty if there is none. {@code end} closes the connection should its
     * seat go to another, and must not wait.
     */
    public Optional<Seat> take(List<Party> ofParties, Runnable end) {
        Seat seat = new Seat(end);
        return seat.joinAll(ofParties, true) ? Optional.of(seat) : Optional.empty();
    }

    private Group group(Party party) {
        return parties.computeIfAbsent(party.name(), _ -> new Group(party.most()));
    }

    public int taken() {
        lock.lock();
        try {
            return all.taken;
        } finally {
            lock.unlock();
        }
    }

    /** One connection's seat. */
    public final class Seat {
        private final Runnable end;
        private final List<Object> names = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();
        private volatile State state = State.SILENT;

        private Seat(Runnable end) {
            this.end = end;
        }

        /** The connection turns out to be a party's; false if that has no seat left, and then this one is given up. */
        public boolean join(Party party) {
            return joinAll(List.of(party), false);
        }

        /** A request begins; false if the seat went to another meanwhile. */
        public boolean busy() {
            return state == State.BUSY || enter(State.BUSY);
        }

        /** The request has ended, and another may follow. */
        public void rests() {
            enter(State.RESTING);
        }

        /** The connection has ended; may be said again. */
        public void leave() {
            lock.lock();
            try {
                remove();
            } finally {
                lock.unlock();
            }
        }

        private boolean enter(State next) {
            lock.lock();
            try {
                if (state == State.GONE) {
                    return false;
                }
                for (Group group : groups) {
                    group.silent.remove(this);
                    group.resting.remove(this);
                    if (next == State.RESTING) {
                        group.resting.add(this);
                    }
                }
                state = next;
                return true;
            } finally {
                lock.unlock();
            }
        }

        private boolean joinAll(List<Party> ofParties, boolean isNew) {
            List<Seat> ended = new ArrayList<>();
            boolean joined = true;
            lock.lock();
            try {
                joined = isNew || state != State.GONE;
                for (Party party : ofParties) {
                    joined = joined && sit(group(party), party.name(), ended);
                }
                // Last: what a party had to give up makes room here too.
                joined = joined && (!isNew || sit(all, Seats.this, ended));
                if (!joined) {
                    remove();
                }
            } finally {
                lock.unlock();
            }
            ended.forEach(each -> each.end.run());
            return joined;
        }

        private boolean sit(Group group, Object name, List<Seat> ended) {
            if (group.taken >= group.most) {
                Optional<Seat> quietest = group.quietest();
                if (quietest.isEmpty() || quietest.get() == this) {
                    return false;
                }
                quietest.get().remove();
                ended.add(quietest.get());
                // The party may have left with its last seat.
                if (group != all) {
                    parties.put(name, group);
                }
            }
            group.taken++;
            groups.add(group);
            names.add(name);
            if (state == State.SILENT) {
                group.silent.add(this);
            } else if (state == State.RESTING) {
                group.resting.add(this);
            }
            return true;
        }

        private void remove() {
            state = State.GONE;
            for (int at = 0; at < groups.size(); at++) {
                Group group = groups.get(at);
                group.taken--;
                group.silent.remove(this);
                group.resting.remove(this);
                if (group.taken == 0 && group != all) {
                    parties.remove(names.get(at));
                }
            }
            groups.clear();
            names.clear();
        }
    }
}
