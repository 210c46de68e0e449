package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.Assignment;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** When records are inserted: there are many, they are large, or one has waited long. */
public final class BatchLimits {
    private static final int ROWS = 100_000;
    private static final int BYTES_A_GIGABYTE = 32 << 20;
    private static final long USUAL_WAIT_MILLIS = 5_000;
    private static final int NANOS_IN_A_MILLI = 1_000_000;

    private final long mostBytes;
    private final long waitMillis;

    public BatchLimits(Assignment assignment) {
        this.mostBytes = (long) (BYTES_A_GIGABYTE * assignment.share().memoryGb());
        this.waitMillis = assignment
                .settings()
                .number("streaming_max_insert_wait_ms")
                .map(Double::longValue)
                .orElse(USUAL_WAIT_MILLIS);
    }

    /** How long the record that waits longest may still wait; as long as {@code otherwise} where none does. */
    public long left(Collection<? extends Stretch> stretches, long otherwise) {
        long now = System.nanoTime();
        return stretches.stream()
                .filter(BatchLimits::waits)
                .mapToLong(stretch -> waitMillis - (now - stretch.since()) / NANOS_IN_A_MILLI)
                .min()
                .orElse(otherwise);
    }

    /** Whether no more is to be read before what there is has been inserted. */
    public boolean areReached(Collection<? extends Stretch> stretches) {
        return stretches.stream().mapToLong(Stretch::bytes).sum() >= mostBytes
                || stretches.stream().anyMatch(stretch -> stretch.records().size() >= ROWS);
    }

    /**
     * What is to be inserted now; those that a crash left half done go first, and alone. {@code isRead} says whether
     * all of one is here again.
     */
    public <S extends Stretch> List<S> due(Collection<S> stretches, Predicate<S> isRead) {
        List<S> due = stretches.stream()
                .filter(stretch -> stretch.isPending() && isRead.test(stretch))
                .toList();
        if (due.isEmpty() && (areReached(stretches) || left(stretches, 1) <= 0)) {
            due = stretches.stream().filter(BatchLimits::waits).toList();
        }
        return due;
    }

    private static boolean waits(Stretch stretch) {
        return !stretch.isPending() && !stretch.isEmpty();
    }
}
