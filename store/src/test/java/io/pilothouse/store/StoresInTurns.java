package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Several stores of one database, as as many processes have them: each transaction is the next one's. */
final class StoresInTurns implements Store {
    private static final ScopedValue<Store> CURRENT = ScopedValue.newInstance();

    private final List<? extends Store> stores;
    private final AtomicInteger turns = new AtomicInteger();

    StoresInTurns(List<? extends Store> stores) {
        this.stores = stores;
    }

    /** Work within a transaction joins it. */
    private Store next() {
        return CURRENT.isBound() ? CURRENT.get() : stores.get(Math.floorMod(turns.getAndIncrement(), stores.size()));
    }

    /** Bound where the work runs, which may be a thread of the store's own. */
    private static <X, T> Function<X, T> within(Store store, Function<X, T> work) {
        return tables -> ScopedValue.where(CURRENT, store).call(() -> work.apply(tables));
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        Store store = next();
        return store.read(within(store, work));
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        Store store = next();
        return store.write(within(store, work));
    }

    @Override
    public <T> T writeTasks(Function<Tasks, T> work) {
        Store store = next();
        return store.writeTasks(within(store, work));
    }

    @Override
    public boolean reachable() {
        return stores.stream().allMatch(Store::reachable);
    }

    @Override
    public void close() {
        stores.forEach(Store::close);
    }
}
