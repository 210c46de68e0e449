package io.pilothouse.http.wire;

import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Table;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the next page of a long collection while the one before is written, which takes about as long. */
public record PagesAhead<T>(Executor executor, Listing.Pages<T> pages) implements Listing.Pages<T> {
    @Override
    public Page<T> after(Table.@Nullable Cursor cursor) {
        return pages.after(cursor);
    }

    @Override
    public Supplier<Page<T>> ahead(Table.Cursor cursor) {
        FutureTask<Page<T>> reading = new FutureTask<>(() -> pages.after(cursor));
        executor.execute(reading);
        return () -> await(reading);
    }

    private static <T> Page<T> await(FutureTask<Page<T>> reading) {
        try {
            return reading.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The listener is closing", e);
        }
    }
}
