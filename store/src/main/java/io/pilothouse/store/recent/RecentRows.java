package io.pilothouse.store.recent;

import io.pilothouse.core.base.Stored;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were read recently, kept as they were made of their documents. A turn counts the commits: it is odd while one
 * of this process is under way and even between two. Before such a commit can be seen, every row that it changes is
 * forgotten; so a row that is found belongs to the turn in which it is found, and one found during a commit is the same
 * before and after it. Where other processes write to the store as well, a turn here stands for one moment of the store,
 * and all rows are forgotten when the store has moved on without this process.
 */
public final class RecentRows {
    /** How many rows may be kept where one belongs: with several, rows that are in use seldom drive each other out. */
    private static final int WAYS = 4;

    private static final int SLOTS = 2048 * WAYS;

    /** Kinds may share a generation; what is known of one is then forgotten with the other. */
    private static final int GENERATIONS = 64;

    private static final long NO_TURN = -1;

    private final AtomicReferenceArray<@Nullable Entry> byId = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<@Nullable Entry> byReference = new AtomicReferenceArray<>(SLOTS);
    /** How often the references of a kind were forgotten: one that was kept before that is not found any more. */
    private final AtomicLongArray generations = new AtomicLongArray(GENERATIONS);

    private final ReentrantLock keeping = new ReentrantLock();
    private final AtomicLong turn = new AtomicLong();
    /** How often all rows were forgotten: one that was kept before that is not found any more. */
    private final AtomicLong epoch = new AtomicLong();
    /** The store's moment in this turn, if it is known. */
    private volatile @Nullable Moment known;
    /** The moment that a commit of this process is about to make. */
    private volatile @Nullable Moment coming;

    private record Entry(Object kind, Object key, Stored row, long epoch) {
        private boolean is(Object otherKind, Object otherKey) {
            return kind.equals(otherKind) && key.equals(otherKey);
        }
    }

    private record Reference(long generation, Object value) {}

    /** Called by the only writer of this process before it commits: forgets what changes. */
    public void commitBegins(Changes changes) {
        commitBegins(changes, null);
    }

    /** The same where the commit makes the store's next moment. */
    public void commitBegins(Changes changes, @Nullable Moment makes) {
        keeping.lock();
        try {
            changes.rows().forEach(this::forget);
            // A change may give a reference to another row or take it away, so none of that kind is known any more.
            changes.kinds().forEach(kind -> generations.incrementAndGet(generation(kind)));
            coming = makes;
            turn.incrementAndGet();
        } finally {
            keeping.unlock();
        }
    }

    /** Called by the only writer of this process when its commit stands or has failed. */
    public void commitEnded() {
        turn.incrementAndGet();
    }

    /** The same where the commit was to make the store's next moment; it is unknown what became of one that failed. */
    public void commitEnded(boolean stands) {
        keeping.lock();
        try {
            if (!stands) {
                epoch.incrementAndGet();
            }
            known = stands ? coming : null;
            coming = null;
            turn.incrementAndGet();
        } finally {
            keeping.unlock();
        }
    }

    private void forget(Changes.Row change) {
        int first = firstSlot(change.kind(), change.id());
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry entry = byId.get(slot);
            if (entry != null && entry.is(change.kind(), change.id())) {
                byId.set(slot, null);
            }
        }
    }

    /** The turn that stands for this moment, or none if what is here belongs to a later one. */
    private long turnOf(Moment shown) {
        // Read before what it stands for, so that one which ends meanwhile fits nothing.
        long now = turn.get();
        if (!stoodFor(shown)) {
            learn(shown);
            now = turn.get();
            if (!stoodFor(shown)) {
                return NO_TURN;
            }
        }
        return now;
    }

    private boolean stoodFor(Moment shown) {
        return shown.equals(known) || shown.equals(coming);
    }

    private void learn(Moment shown) {
        keeping.lock();
        try {
            Moment last = known;
            // Beside a commit of this process others' are not learned of: the next look will do.
            if (coming == null && (last == null || last.number() < shown.number())) {
                epoch.incrementAndGet();
                known = shown;
                turn.addAndGet(2);
            }
        } finally {
            keeping.unlock();
        }
    }

    private static int generation(Object kind) {
        return kind.hashCode() & (GENERATIONS - 1);
    }

    private @Nullable Entry find(AtomicReferenceArray<@Nullable Entry> entries, Object kind, Object key) {
        int first = firstSlot(kind, key);
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry entry = entries.get(slot);
            if (entry != null && entry.epoch() == epoch.get() && entry.is(kind, key)) {
                return entry;
            }
        }
        return null;
    }

    /** Keeps a row unless a commit has begun since this turn; never waits, nor makes the writer wait for its turn. */
    private void keep(AtomicReferenceArray<@Nullable Entry> entries, Object kind, Object key, Stored row, long readIn) {
        if (!keeping.tryLock()) {
            return;
        }
        try {
            if (turn.get() == readIn) {
                entries.set(placeFor(entries, kind, key), new Entry(kind, key, row, epoch.get()));
            }
        } finally {
            keeping.unlock();
        }
    }

    /** The place of this row, otherwise a free one, otherwise any where it may be. */
    private int placeFor(AtomicReferenceArray<@Nullable Entry> entries, Object kind, Object key) {
        int first = firstSlot(kind, key);
        int place = first + ThreadLocalRandom.current().nextInt(WAYS);
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry kept = entries.get(slot);
            if (kept == null || kept.epoch() != epoch.get()) {
                place = slot;
            } else if (kept.is(kind, key)) {
                return slot;
            }
        }
        return place;
    }

    private static int firstSlot(Object kind, Object key) {
        int hash = 31 * key.hashCode() + kind.hashCode();
        return ((hash ^ (hash >>> 16)) * WAYS) & (SLOTS - 1);
    }

    /** For one that reads a store that only this process writes to. */
    public RecentView reading() {
        return new Reading(turn.get());
    }

    /**
     * For one that reads a store that others write to as well.
     *
     * @param present asks for the store's moment
     * @param seen asks the transaction, which it begins if need be, for the moment that it sees
     */
    public RecentView reading(Supplier<Moment> present, Supplier<Moment> seen) {
        return new ReadingBeside(present, seen);
    }

    /** For the one that writes, and has changed this so far; nobody commits beside it. */
    public RecentView writing(Changes changes) {
        return new Writing(turn.get(), changes);
    }

    /** The same in a store that others write to as well, which is at this moment until the transaction ends. */
    public RecentView writing(Moment present, Changes changes) {
        return new Writing(turnOf(present), changes);
    }

    /** What the views have in common: rows of one turn, which is also that of the transaction. */
    private abstract class View implements RecentView {
        long began = NO_TURN;
        boolean used;
        boolean over;

        @Override
        public <T extends Stored> Optional<T> byId(Object kind, Object id, Supplier<Optional<T>> query) {
            return find(byId, kind, id, query);
        }

        @Override
        public <T extends Stored> Optional<T> byReference(Object kind, Object reference, Supplier<Optional<T>> query) {
            return find(byReference, kind, new Reference(generations.get(generation(kind)), reference), query);
        }

        @SuppressWarnings("unchecked") // A kind's entries hold that kind's rows.
        private <T extends Stored> Optional<T> find(
                AtomicReferenceArray<@Nullable Entry> entries, Object kind, Object key, Supplier<Optional<T>> query) {
            if (!over && RecentRows.this.find(entries, kind, key) != null) {
                long mine = turnAtFind();
                // Once more, because the first look may have had all that was kept forgotten.
                Entry entry = RecentRows.this.find(entries, kind, key);
                if (entry != null && mine != NO_TURN && turn.get() == mine) {
                    used = true;
                    return Optional.of((T) entry.row());
                }
            }
            Optional<T> row = query.get();
            if (row.isPresent() && !over) {
                long readIn = turnAtKeep();
                // During a commit it is unknown on which side of it the transaction is.
                if (!over && readIn % 2 == 0) {
                    keep(entries, kind, key, row.get(), readIn);
                }
            }
            return row;
        }

        /** The turn in which rows may be found; asked for only when one may be. */
        long turnAtFind() {
            return began;
        }

        /** The turn that a row belongs to which was queried. */
        long turnAtKeep() {
            return began;
        }
    }

    private final class Reading extends View {
        private boolean queried;

        private Reading(long now) {
            began = now;
        }

        @Override
        public boolean queried() {
            if (!queried) {
                queried = true;
                long now = turn.get();
                over = now != began && (began % 2 == 0 || now != began + 1);
            }
            return !(over && used);
        }
    }

    private final class ReadingBeside extends View {
        private final Supplier<Moment> present;
        private final Supplier<Moment> seen;
        private @Nullable Moment shown;
        private boolean settled;

        private ReadingBeside(Supplier<Moment> present, Supplier<Moment> seen) {
            this.present = present;
            this.seen = seen;
        }

        @Override
        long turnAtFind() {
            if (shown == null) {
                show(present.get());
            }
            return began;
        }

        @Override
        long turnAtKeep() {
            settle();
            return began;
        }

        private void show(Moment moment) {
            shown = moment;
            began = turnOf(moment);
        }

        /** Only what was found has to fit to what is seen: a transaction that found nothing is not asked. */
        @Override
        public boolean queried() {
            if (used) {
                settle();
            }
            return !(over && used);
        }

        private void settle() {
            if (!settled) {
                settled = true;
                Moment moment = seen.get();
                if (shown == null) {
                    show(moment);
                }
                over = !moment.equals(shown);
            }
        }
    }

    private final class Writing extends View {
        private final Changes changes;

        private Writing(long now, Changes changes) {
            began = now;
            this.changes = changes;
        }

        @Override
        public <T extends Stored> Optional<T> byId(Object kind, Object id, Supplier<Optional<T>> query) {
            return changes.has(kind, id) ? query.get() : super.byId(kind, id, query);
        }

        @Override
        public <T extends Stored> Optional<T> byReference(Object kind, Object reference, Supplier<Optional<T>> query) {
            return changes.hasAny(kind) ? query.get() : super.byReference(kind, reference, query);
        }

        @Override
        public boolean queried() {
            return true;
        }
    }
}
