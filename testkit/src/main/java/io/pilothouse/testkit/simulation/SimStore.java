package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The store as one process reaches it, alone or over a network. What is committed is committed, and {@code committed}
 * hears the result at once; {@code worked} hears of each write about tasks.
 */
final class SimStore implements Store {
    private final Store store;
    private final SimWorld world;
    private final SimFaults faults;
    private final SimFence fence;
    private final SimPort port;
    private final Consumer<Object> committed;
    private final Runnable worked;

    SimStore(
            SimHost.Things things,
            SimWorld world,
            SimFaults faults,
            SimPort port,
            Consumer<Object> committed,
            Runnable worked) {
        this.store = things.store();
        this.world = world;
        this.faults = faults;
        this.fence = things.fence();
        this.port = port;
        this.committed = committed;
        this.worked = worked;
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return port.toStore("read", () -> store.read(work), SimStore::unavailable);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return port.toStore(
                "write",
                () -> {
                    if (faults.diskFull()) {
                        throw unavailable("The disk is full");
                    }
                    return commit(work);
                },
                SimStore::unavailable);
    }

    private <T> T commit(Function<Tables, T> work) {
        SimWrite write = new SimWrite();
        T result = store.write(tables -> {
            write.begin();
            return work.apply(new SimTables(tables, write));
        });
        write.committed(world, fence, port);
        committed.accept(result);
        if (write.hasTasks()) {
            worked.run();
        }
        return result;
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
