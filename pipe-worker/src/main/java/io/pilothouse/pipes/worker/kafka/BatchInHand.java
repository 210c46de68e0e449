package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.records.RecordLoad;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The one batch that is being inserted while its reader reads on. For one thread. */
final class BatchInHand {
    private final RecordLoad load;
    private final ExecutorService threads;
    private List<PartitionStretch> stretches = List.of();
    private @Nullable Future<@Nullable Void> work;

    BatchInHand(RecordLoad load, ExecutorService threads) {
        this.load = load;
        this.threads = threads;
    }

    boolean isFree() {
        return work == null;
    }

    /** Whether the one that it has need not be waited for. */
    boolean isDone() {
        return work != null && work.isDone();
    }

    /** Begins to insert these. It must be free. */
    void take(List<PartitionStretch> due) {
        stretches = due;
        work = threads.submit(() -> {
            load.load(due);
            return null;
        });
    }

    /** Returns what is in the table then. */
    List<PartitionStretch> await() throws Trouble, InterruptedException {
        Future<@Nullable Void> begun = work;
        if (begun == null) {
            return List.of();
        }
        try {
            begun.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case Trouble trouble -> throw trouble;
                case InterruptedException interrupted -> throw interrupted;
                case null, default -> throw new IllegalStateException(failed.getCause());
            }
        } finally {
            if (begun.isDone()) {
                work = null;
            }
        }
        return stretches;
    }

    /** Lets go of it in the middle. Its range is pending in the ledger, and so is done again. */
    void giveUp() {
        if (work != null) {
            work.cancel(true);
            work = null;
        }
    }

    /**
     * No batch outlives its reader: the next reader may read the same records. Returns whether one was in hand and is in
     * the table now.
     */
    boolean end() throws InterruptedException {
        Future<@Nullable Void> begun = work;
        if (begun == null) {
            return false;
        }
        try {
            begun.get();
            return true;
        } catch (ExecutionException _) {
            // What broke the reader off is what is reported.
            return false;
        } finally {
            giveUp();
        }
    }
}
