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
    private <T> T next(Function<Store, T> work) {
        if (CURRENT.isBound()) {
            return work.apply(CURRENT.get());
        }
        Store store = stores.get(Math.floorMod(turns.getAndIncrement(), stores.size()));
        return ScopedValue.where(CURRENT, store).call(() -> work.apply(store));
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return this.<T>next(store -> store.read(work));
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return this.<T>next(store -> store.write(work));
    }

    @Override
    public <T> T writeTasks(Function<Tasks, T> work) {
        return this.<T>next(store -> store.writeTasks(work));
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
