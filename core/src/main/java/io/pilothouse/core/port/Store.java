package io.pilothouse.core.port;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Where everything is kept. Safe for many threads. Work runs as if alone (serializable) and may be run again, after a
 * clash with another process or a failure of what it shares a commit with, so it must do nothing but read and write
 * tables.
 */
public interface Store extends AutoCloseable {
    /** Runs work against one consistent snapshot; a write inside it throws {@link IllegalStateException}. */
    <T> T read(Function<Tables, T> work);

    /**
     * Runs work in a transaction that is on disk when this returns; what work throws rolls it back and comes out here.
     * Called inside another write, it joins that one and is undone or kept with it.
     *
     * @throws StoreUnavailable if the store cannot be reached or written; nothing was changed then
     */
    <T> T write(Function<Tables, T> work);

    /** Like {@link #write}, for work that has nothing to return. */
    default void change(Consumer<Tables> work) {
        write(tables -> {
            work.accept(tables);
            return true;
        });
    }

    /**
     * Like {@link #write}, for work on tasks alone: where several processes write, it meets their rows as they are when
     * it comes to them, so nothing that they do meanwhile makes it run again.
     */
    default <T> T writeTasks(Function<Tasks, T> work) {
        return write(tables -> work.apply(tables.tasks()));
    }

    /** The same store for work that no client waits for: where writes queue, these let those of requests pass. */
    default Store forTheEngine() {
        return this;
    }

    /** Whether a trivial read works right now. */
    boolean reachable();

    /**
     * Why nothing can be written, a sentence for operators; empty while the last write went well. After one that did not,
     * a trivial one is tried.
     */
    default Optional<String> writeFault() {
        return Optional.empty();
    }

    @Override
    void close();
}
