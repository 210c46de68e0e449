package io.pilothouse.store;

import io.pilothouse.core.port.Tables;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Knows which transaction the running work is inside of, so that a read or write within it joins that one. */
final class Nesting {
    private final ScopedValue<Transaction> current = ScopedValue.newInstance();

    @Nullable
    Transaction current() {
        return current.isBound() ? current.get() : null;
    }

    <T> T inside(Transaction transaction, Function<Tables, T> work) {
        return ScopedValue.where(current, transaction).call(() -> work.apply(transaction));
    }

    /** Work of a nested write: if it fails, the outer transaction is not kept either, whatever the outer work makes of it. */
    <T> T write(Transaction outer, Function<Tables, T> work) {
        outer.checkWritable();
        try {
            return work.apply(outer);
        } catch (RuntimeException | Error e) {
            outer.doom(e);
            throw e;
        }
    }

    <T> T read(Transaction outer, Function<Tables, T> work) {
        return inside(outer.readOnly(), work);
    }
}
