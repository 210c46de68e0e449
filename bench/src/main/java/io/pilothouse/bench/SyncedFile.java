package io.pilothouse.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The limit for durable writes: records appended to one file, all waiting ones in one write and one sync. */
final class SyncedFile implements AutoCloseable {
    private final FileChannel channel;
    private final int recordBytes;
    private final BlockingQueue<CountDownLatch> queue = new LinkedBlockingQueue<>();
    private volatile @Nullable IOException failure;
    private final Thread writer = Thread.ofPlatform().daemon().unstarted(this::run);

    private SyncedFile(FileChannel channel, int recordBytes) {
        this.channel = channel;
        this.recordBytes = recordBytes;
    }

    static SyncedFile create(Path file, int recordBytes) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        SyncedFile synced = new SyncedFile(channel, recordBytes);
        synced.writer.start();
        return synced;
    }

    /** Returns once a record of the caller's is on disk. */
    void append() throws IOException, InterruptedException {
        CountDownLatch known = new CountDownLatch(1);
        queue.put(known);
        known.await();
        requireSound();
    }

    private void requireSound() throws IOException {
        if (failure != null) {
            throw new IOException("Not all records were kept", failure);
        }
    }

    private void run() {
        List<CountDownLatch> group = new ArrayList<>();
        try {
            while (true) {
                group.add(queue.take());
                queue.drainTo(group);
                try {
                    write(group.size());
                } catch (IOException e) {
                    failure = e;
                }
                group.forEach(CountDownLatch::countDown);
                group.clear();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(int count) throws IOException {
        ByteBuffer records = ByteBuffer.allocate(recordBytes * count);
        while (records.hasRemaining()) {
            channel.write(records);
        }
        channel.force(false);
    }

    /** Records a second that this many writers get on disk, each waiting for its own. */
    static double perSecond(Path file, int recordBytes, int writers, Duration time)
            throws IOException, InterruptedException {
        AtomicLong appended = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + time.toNanos();
        List<Thread> threads = new ArrayList<>();
        try (SyncedFile synced = create(file, recordBytes)) {
            for (int writer = 0; writer < writers; writer++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        while (System.nanoTime() < end) {
                            synced.append();
                            appended.incrementAndGet();
                        }
                    } catch (IOException e) {
                        // Reported below, for all of them.
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            synced.requireSound();
        }
        return appended.get() / (Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0);
    }

    @Override
    public void close() throws IOException {
        writer.interrupt();
        channel.close();
    }
}
