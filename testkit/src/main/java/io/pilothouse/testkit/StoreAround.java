package io.pilothouse.testkit;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.util.Optional;
import java.util.function.Function;

/** Does what the store in it does, but for what a test has it do otherwise. */
public class StoreAround implements Store {
    private final Store inner;

    public StoreAround(Store inner) {
        this.inner = inner;
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return inner.read(work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return inner.write(work);
    }

    @Override
    public Optional<String> writeFault() {
        return inner.writeFault();
    }

    @Override
    public boolean reachable() {
        return inner.reachable();
    }

    @Override
    public void close() {
        inner.close();
    }
}
