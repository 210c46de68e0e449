package io.pilothouse.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The limit for durable writes: records appended to one file, whatever waits in one write and one sync. */
final class SyncedFile {
    private static final int PAUSE_MILLIS = 50;

    private SyncedFile() {}

    private record Append(CountDownLatch synced) {}

    /** Records a second that so many writers get on disk, each waiting for its own. */
    static double perSecond(Path file, int recordBytes, int writers, Duration time)
            throws IOException, InterruptedException {
        BlockingQueue<Append> queue = new ArrayBlockingQueue<>(writers);
        AtomicLong appended = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + time.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (System.nanoTime() < end) {
                        Append append = new Append(new CountDownLatch(1));
                        queue.put(append);
                        append.synced().await();
                        appended.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            List<Append> group = new ArrayList<>();
            while (threads.stream().anyMatch(Thread::isAlive)) {
                Append first = queue.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                if (first == null) {
                    continue;
                }
                group.add(first);
                queue.drainTo(group);
                ByteBuffer records = ByteBuffer.allocate(recordBytes * group.size());
                while (records.hasRemaining()) {
                    channel.write(records);
                }
                channel.force(false);
                group.forEach(append -> append.synced().countDown());
                group.clear();
            }
        }
        return appended.get() / (Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0);
    }
}
