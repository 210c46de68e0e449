package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The figures that a store reported, and a way to wait for more. */
final class Figures implements StoreMetrics {
    private static final long MAX_MILLIS = 30_000;

    private final List<Integer> groups = new ArrayList<>();
    private int mostWaiting;
    private int failed;

    @Override
    public synchronized void waiting(int writes) {
        mostWaiting = Math.max(mostWaiting, writes);
        notifyAll();
    }

    @Override
    public synchronized void committed(int writes, Duration took) {
        assertThat(took).isPositive();
        groups.add(writes);
        notifyAll();
    }

    @Override
    public synchronized void failed(int writes) {
        failed += writes;
    }

    synchronized int failed() {
        return failed;
    }

    /** Returns once this many writes waited at the same time. */
    synchronized void awaitWaiting(int writes) throws InterruptedException {
        long deadline = System.currentTimeMillis() + MAX_MILLIS;
        while (mostWaiting < writes) {
            long left = deadline - System.currentTimeMillis();
            assertThat(left).as("%s of %s writes waited", mostWaiting, writes).isPositive();
            wait(left);
        }
    }

    /** The sizes of the groups, once this many writes were committed in all. */
    synchronized List<Integer> groupsOf(int writes) throws InterruptedException {
        long deadline = System.currentTimeMillis() + MAX_MILLIS;
        while (groups.stream().mapToInt(Integer::intValue).sum() < writes) {
            long left = deadline - System.currentTimeMillis();
            assertThat(left).as("groups %s do not make %s", groups, writes).isPositive();
            wait(left);
        }
        return List.copyOf(groups);
    }
}
