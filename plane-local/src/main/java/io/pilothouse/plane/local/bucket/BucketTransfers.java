package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Moves files to buckets and back in the background, two at a time, so that no look at a backup waits for one. What it
 * remembers may be lost at any time: files and objects say what is left to do. Safe for many threads.
 */
public final class BucketTransfers {
    private static final int AT_A_TIME = 2;

    private final Buckets buckets;
    private final ExecutorService threads;
    private final Semaphore slots = new Semaphore(AT_A_TIME);
    private final Map<UUID, Transfer> all = new ConcurrentHashMap<>();

    public BucketTransfers(Buckets buckets, ExecutorService threads) {
        this.buckets = buckets;
        this.threads = threads;
    }

    /** One file on its way; {@code failure} is why it will not arrive. */
    private static final class Transfer {
        private volatile @Nullable String failure;
        private volatile @Nullable Future<?> work;
        private volatile boolean dropped;

        Progress progress() {
            String why = failure;
            return why == null ? new Progress.UnderWay() : new Progress.Failed(why);
        }
    }

    private interface Work {
        void run(ObjectStore store) throws BucketFault, IOException;
    }

    /** Why files cannot go to such a bucket, a sentence for clients. */
    public Optional<String> refusal(BucketAccess bucket) {
        return buckets.refusal(bucket);
    }

    /** Opens a bucket for a short question. */
    public ObjectStore open(BucketAccess bucket) throws BucketFault {
        return buckets.openHastily(bucket);
    }

    /** How far the transfer under this id is; empty for one that ended well or was never begun. */
    public Optional<Progress> find(UUID id) {
        return Optional.ofNullable(all.get(id)).map(Transfer::progress);
    }

    /** Begins to send a file, which is deleted once it is there as an object. */
    public Progress send(UUID id, Path file, BucketAccess bucket, String name) {
        return begin(
                id,
                transfer -> run(id, transfer, bucket, store -> {
                    store.put(name, file);
                    if (transfer.dropped) {
                        store.delete(name);
                    } else {
                        Files.deleteIfExists(file);
                    }
                }));
    }

    /** Begins to fetch an object; the file is there once it is whole. */
    public Progress fetch(UUID id, BucketAccess bucket, String name, Path file) {
        return begin(
                id,
                transfer -> run(id, transfer, bucket, store -> {
                    Path part = file.resolveSibling(file.getFileName() + ".part");
                    try {
                        store.get(name, part);
                        if (!transfer.dropped) {
                            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
                        }
                    } finally {
                        Files.deleteIfExists(part);
                    }
                }));
    }

    /** Forgets a transfer, and ends it if it is under way. */
    public boolean drop(UUID id) {
        Transfer transfer = all.remove(id);
        if (transfer == null) {
            return false;
        }
        transfer.dropped = true;
        Future<?> work = transfer.work;
        if (work != null) {
            work.cancel(true);
        }
        return true;
    }

    private interface Task {
        void run(Transfer transfer);
    }

    private Progress begin(UUID id, Task task) {
        Transfer fresh = new Transfer();
        Transfer known = all.putIfAbsent(id, fresh);
        if (known != null) {
            return known.progress();
        }
        fresh.work = threads.submit(() -> task.run(fresh));
        return fresh.progress();
    }

    private void run(UUID id, Transfer transfer, BucketAccess bucket, Work work) {
        try {
            slots.acquire();
            try {
                work.run(buckets.open(bucket));
                all.remove(id, transfer);
            } finally {
                slots.release();
            }
        } catch (BucketFault fault) {
            transfer.failure = "The bucket cannot be used: " + fault.getMessage();
        } catch (IOException fault) {
            transfer.failure = "The backup cannot be read or written on this machine's disk";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            all.remove(id, transfer);
        }
    }
}
