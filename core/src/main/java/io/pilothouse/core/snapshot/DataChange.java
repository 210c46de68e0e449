package io.pilothouse.core.snapshot;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Wake;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Changes rows together with the data of their services. The copies are laid out before, the rows change in one
 * transaction with the mark of the copies, and then each takes its place: whenever that is cut off, the mark says
 * whether the next start has to go on with it or has nothing to do.
 */
final class DataChange {
    private final Store store;
    private final Clock clock;
    private final Wake engine;

    DataChange(Store store, Clock clock, Wake engine) {
        this.store = store;
        this.clock = clock;
        this.engine = engine;
    }

    /** Does this work, and discards copies that it made no use of. */
    <T> T with(Optional<SnapshotData.Copies> copies, Supplier<T> work) {
        try {
            return work.get();
        } finally {
            copies.filter(laid ->
                            CopiesMark.find(store).filter(laid.id()::equals).isEmpty())
                    .ifPresent(SnapshotData.Copies::discard);
        }
    }

    /**
     * Commits what {@code ready} gives once nothing works on {@code before} any more, and puts the copies in place.
     * What was ended in vain is begun again.
     */
    <T> T commit(SnapshotData.Copies copies, Taken before, Supplier<Function<Tables, T>> ready) {
        T done;
        boolean committed = false;
        if (CopiesMark.find(store).isPresent()) {
            throw SnapshotRules.conflict("What an earlier return left to do is done by the next start of the program");
        }
        try {
            Function<Tables, T> change = ready.get();
            done = store.write(tables -> {
                T result = change.apply(tables);
                CopiesMark.put(tables, copies.id(), clock.now());
                tables.afterCommit(engine::nudge);
                return result;
            });
            committed = true;
        } finally {
            if (!committed) {
                wake(before);
            }
        }
        copies.putInPlace();
        CopiesMark.remove(store);
        return done;
    }

    void wake(Taken ended) {
        store.change(tables -> {
            ended.wake(tables, clock.now());
            tables.afterCommit(engine::nudge);
        });
    }
}
