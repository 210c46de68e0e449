package io.pilothouse.server.store;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.store.PostgresStore;
import io.pilothouse.store.allowance.SharedAllowances;
import java.util.Optional;

/**
 * The store that the program works on, with the time that counts in it: that of the machine or, where several processes
 * share it, that of its server.
 */
public sealed interface OpenStore extends AutoCloseable {
    Store store();

    Clock clock();

    /** How much a dispatcher of this store takes on. */
    DispatchLimits limits();

    /** What all processes of the store count together; empty where there is one. */
    Optional<Allowances> allowances();

    /** The start is over: begins to do what is due. */
    void begin(Dispatcher dispatcher);

    @Override
    void close();

    /** A store that no other process works on. */
    record Alone(Store store, Clock clock) implements OpenStore {
        @Override
        public DispatchLimits limits() {
            return DispatchLimits.USUAL;
        }

        @Override
        public Optional<Allowances> allowances() {
            return Optional.empty();
        }

        @Override
        public void begin(Dispatcher dispatcher) {
            dispatcher.takeOver();
            dispatcher.start();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** A store that others work on too: what they hold is theirs for as long as their leases last. */
    record Shared(Store store, StoreClock clock, PostgresStore server, SharedAllowances counts) implements OpenStore {
        @Override
        public DispatchLimits limits() {
            return DispatchLimits.SHARED;
        }

        @Override
        public Optional<Allowances> allowances() {
            return Optional.of(counts);
        }

        @Override
        public void begin(Dispatcher dispatcher) {
            dispatcher.start();
            clock.start();
            server.share(
                    dispatcher,
                    Thread.ofPlatform().daemon().name("store-bell-", 0).factory());
            server.started();
        }

        @Override
        public void close() {
            clock.close();
            counts.close();
            store.close();
        }
    }
}
