package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The store as one process reaches it. What is committed is committed, and {@code committed} hears the result at once;
 * {@code touched} hears of each kind of row that a write may change.
 */
final class SimStore implements Store {
    private final Store store;
    private final SimPort port;
    private final SimFaults faults;
    private final Consumer<Kind<?>> touched;
    private final Consumer<Object> committed;

    SimStore(Store store, SimPort port, SimFaults faults, Consumer<Kind<?>> touched, Consumer<Object> committed) {
        this.store = store;
        this.port = port;
        this.faults = faults;
        this.touched = touched;
        this.committed = committed;
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return port.whole("read", () -> store.read(work), SimStore::unavailable);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return port.whole(
                "write",
                () -> {
                    if (faults.diskFull()) {
                        throw unavailable("The disk is full");
                    }
                    T result = store.write(tables -> work.apply(new SimTables(tables, touched)));
                    committed.accept(result);
                    return result;
                },
                SimStore::unavailable);
    }

    private static StoreUnavailable unavailable(String why) {
        return new StoreUnavailable(why, new IOException(why));
    }

    @Override
    public boolean reachable() {
        return store.reachable();
    }

    /** It outlives the process. */
    @Override
    public void close() {}
}
