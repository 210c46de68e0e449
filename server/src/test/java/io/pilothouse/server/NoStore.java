package io.pilothouse.server;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.util.function.Function;

/** A store that cannot be reached. */
public final class NoStore implements Store {
    @Override
    public <T> T read(Function<Tables, T> work) {
        throw new StoreUnavailable("The disk is gone", new IllegalStateException());
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        throw new StoreUnavailable("The disk is gone", new IllegalStateException());
    }

    @Override
    public boolean reachable() {
        return false;
    }

    @Override
    public void close() {}
}
