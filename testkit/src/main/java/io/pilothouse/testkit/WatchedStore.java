package io.pilothouse.testkit;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** Counts the calls of a store, and calls back before and after each write, where a process may die or a store fail. */
public final class WatchedStore extends StoreAround {
    private final Consumer<String> watcher;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();

    public WatchedStore(Store store, Consumer<String> watcher) {
        super(store);
        this.watcher = watcher;
    }

    public long reads() {
        return reads.get();
    }

    public long writes() {
        return writes.get();
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        reads.incrementAndGet();
        watcher.accept("read");
        return super.read(work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        writes.incrementAndGet();
        watcher.accept("before write");
        T result = super.write(work);
        watcher.accept("after write");
        return result;
    }
}
