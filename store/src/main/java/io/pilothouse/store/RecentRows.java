package io.pilothouse.store;

import io.pilothouse.core.base.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were read recently, kept as they were made of their documents, for the one process that has the store to
 * itself. A moment counts the commits: it is odd while one is under way and even between two. Before a commit can be
 * seen, every row that it changes is forgotten; so a row that is found belongs to the moment at which it is found, and
 * one found during a commit is the same before and after it.
 */
final class RecentRows {
    /** How many rows may be kept where one belongs: with several, rows that are in use seldom drive each other out. */
    private static final int WAYS = 4;

    private static final int SLOTS = 2048 * WAYS;

    /** Kinds may share a generation; what is known of one is then forgotten with the other. */
    private static final int GENERATIONS = 64;

    private final AtomicReferenceArray<@Nullable Entry> byId = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<@Nullable Entry> byReference = new AtomicReferenceArray<>(SLOTS);
    /** How often the references of a kind were forgotten: one that was kept before that is not found any more. */
    private final AtomicLongArray generations = new AtomicLongArray(GENERATIONS);

    private final ReentrantLock keeping = new ReentrantLock();
    private final AtomicLong moment = new AtomicLong();

    private record Entry(DocumentStatements<?> kind, Object key, Stored row) {
        private boolean is(DocumentStatements<?> otherKind, Object otherKey) {
            return kind == otherKind && key.equals(otherKey);
        }
    }

    private record Reference(long generation, Object value) {}

    /** A row of which a commit changes something. */
    record Change(DocumentStatements<?> kind, Object id) {}

    /** Called by the only writer before it commits: forgets what changes. */
    void commitBegins(List<Change> changes) {
        keeping.lock();
        try {
            changes.forEach(this::forget);
            // A change may give a reference to another row or take it away, so none of that kind is known any more.
            changes.stream().map(Change::kind).distinct().forEach(this::forgetReferences);
            moment.incrementAndGet();
        } finally {
            keeping.unlock();
        }
    }

    private void forget(Change change) {
        int first = firstSlot(change.kind(), change.id());
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry entry = byId.get(slot);
            if (entry != null && entry.is(change.kind(), change.id())) {
                byId.set(slot, null);
            }
        }
    }

    private void forgetReferences(DocumentStatements<?> kind) {
        generations.incrementAndGet(generation(kind));
    }

    private static int generation(DocumentStatements<?> kind) {
        return kind.place & (GENERATIONS - 1);
    }

    /** Called by the only writer when its commit stands or has failed. */
    void commitEnded() {
        moment.incrementAndGet();
    }

    private static @Nullable Entry find(
            AtomicReferenceArray<@Nullable Entry> entries, DocumentStatements<?> kind, Object key) {
        int first = firstSlot(kind, key);
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry entry = entries.get(slot);
            if (entry != null && entry.is(kind, key)) {
                return entry;
            }
        }
        return null;
    }

    /** Keeps a row unless a commit has begun since this moment; never waits, nor makes the writer wait for its turn. */
    private void keep(AtomicReferenceArray<@Nullable Entry> entries, Entry entry, long readAt) {
        if (!keeping.tryLock()) {
            return;
        }
        try {
            if (moment.get() == readAt) {
                entries.set(placeFor(entries, entry), entry);
            }
        } finally {
            keeping.unlock();
        }
    }

    /** The place of this row, otherwise a free one, otherwise any where it may be. */
    private static int placeFor(AtomicReferenceArray<@Nullable Entry> entries, Entry entry) {
        int first = firstSlot(entry.kind(), entry.key());
        int place = first + ThreadLocalRandom.current().nextInt(WAYS);
        for (int slot = first; slot < first + WAYS; slot++) {
            Entry kept = entries.get(slot);
            if (kept == null) {
                place = slot;
            } else if (kept.is(entry.kind(), entry.key())) {
                return slot;
            }
        }
        return place;
    }

    private static int firstSlot(DocumentStatements<?> kind, Object key) {
        int hash = 31 * key.hashCode() + kind.place;
        return ((hash ^ (hash >>> 16)) * WAYS) & (SLOTS - 1);
    }

    View view() {
        return new View(moment.get());
    }

    /** The rows as one reading transaction sees them: those of one moment, which is also that of its snapshot. */
    final class View {
        private final long began;
        private boolean used;
        private boolean queried;
        private boolean over;

        private View(long began) {
            this.began = began;
        }

        <T extends Stored> Optional<T> byId(DocumentStatements<T> kind, Object id, Supplier<Optional<T>> query) {
            return find(byId, kind, id, query);
        }

        <T extends Stored> Optional<T> byReference(
                DocumentStatements<T> kind, Object reference, Supplier<Optional<T>> query) {
            return find(byReference, kind, new Reference(generations.get(generation(kind)), reference), query);
        }

        @SuppressWarnings("unchecked") // A kind's entries hold that kind's rows.
        private <T extends Stored> Optional<T> find(
                AtomicReferenceArray<@Nullable Entry> entries,
                DocumentStatements<T> kind,
                Object key,
                Supplier<Optional<T>> query) {
            Entry entry = over ? null : RecentRows.find(entries, kind, key);
            if (entry != null && moment.get() == began) {
                used = true;
                return Optional.of((T) entry.row());
            }
            Optional<T> row = query.get();
            // During a commit it is unknown on which side of it the snapshot is.
            if (!over && row.isPresent() && began % 2 == 0) {
                keep(entries, new Entry(kind, key, row.get()), began);
            }
            return row;
        }

        /**
         * Called after each query: the first one has fixed the snapshot.
         *
         * @throws Clash if rows were used that the snapshot may not have
         */
        void queried() {
            if (queried) {
                return;
            }
            queried = true;
            long now = moment.get();
            boolean same = now == began || (began % 2 == 1 && now == began + 1);
            if (!same) {
                over = true;
                if (used) {
                    throw new Clash(new IllegalStateException("A commit came between two looks"));
                }
            }
        }
    }
}
