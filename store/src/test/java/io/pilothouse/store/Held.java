package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Work that sits in a store, holding the writer or a connection, until it is let go. */
final class Held implements AutoCloseable {
    private static final long MAX_SECONDS = 60;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);
    private final Crowd<String> caller = new Crowd<>();

    private Held(Function<Function<Tables, String>, String> transaction) {
        caller.add(() -> transaction.apply(this::hold));
        await(begun);
    }

    static Held write(Store store) {
        return new Held(store::write);
    }

    static Held read(Store store) {
        return new Held(store::read);
    }

    private String hold(Tables tables) {
        // A transaction begins with its first query.
        tables.of(Organization.KIND).count(UUID.randomUUID());
        begun.countDown();
        await(free);
        return "let go";
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The thread that waits for the held work's outcome. */
    Thread caller() {
        return caller.threads().getFirst();
    }

    boolean isDone() {
        return caller.anyIsDone();
    }

    /** Lets it go and returns its outcome. */
    String letGo() {
        free.countDown();
        return caller.result();
    }

    @Override
    public void close() {
        free.countDown();
    }
}
