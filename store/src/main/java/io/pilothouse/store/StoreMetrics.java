package io.pilothouse.store;

import java.time.Duration;

/**
 * Receives what the store reports of its work as it happens; called from hot paths, so an answer must be quick and
 * never throw.
 */
public interface StoreMetrics {
    /** Drops every figure. */
    StoreMetrics NONE = new StoreMetrics() {
        @Override
        public void waiting(int writes) {}

        @Override
        public void committed(int writes, Duration took) {}
    };

    /** How many writes wait for their turn now. */
    void waiting(int writes);

    /** These writes were not kept, for a reason that is not theirs: the disk is full, or cannot be written to. */
    default void failed(int writes) {}

    /** One commit put this many writes on disk, and this is how long the commit itself took. */
    void committed(int writes, Duration took);
}
