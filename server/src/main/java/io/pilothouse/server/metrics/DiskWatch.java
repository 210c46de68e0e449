package io.pilothouse.server.metrics;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.http.metrics.MetricsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Watches the disk of the data folder: databases leave the last bytes of it to the store, and people hear of it while
 * as much again is left.
 */
public final class DiskWatch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DiskWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final long USUAL_RESERVE = 1L << 30;
    private static final int SHARE_OF_A_SMALL_DISK = 20;
    private static final long MEGABYTE = 1L << 20;

    private final long reserve;
    private final LongSupplier free;
    private final Rounds rounds = new Rounds();
    private boolean warned;

    DiskWatch(long reserve, LongSupplier free) {
        this.reserve = reserve;
        this.free = free;
    }

    /** Of the disk on which this folder is. */
    public static DiskWatch of(Path folder, long reserve) throws IOException {
        FileStore disk = Files.getFileStore(folder);
        return new DiskWatch(reserve, () -> {
            try {
                return disk.getUsableSpace();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** What databases leave free of the disk on which this folder is, if nobody says how much. */
    public static long usualReserve(Path folder) throws IOException {
        return Math.min(USUAL_RESERVE, Files.getFileStore(folder).getTotalSpace() / SHARE_OF_A_SMALL_DISK);
    }

    public void start(Executor threads) {
        threads.execute(() -> {
            look();
            rounds.run(PERIOD, this::look);
        });
    }

    /** Puts into the log that it began or ended to be short. */
    synchronized void look() {
        Optional<String> shortage = shortage();
        if (shortage.isPresent() && !warned) {
            LOG.log(Level.WARNING, shortage.get());
        } else if (shortage.isEmpty() && warned) {
            LOG.log(Level.INFO, "The disk of the data folder has room again");
        }
        warned = shortage.isPresent();
    }

    /** What is short, as a sentence. */
    public Optional<String> shortage() {
        long left;
        try {
            left = free.getAsLong();
        } catch (UncheckedIOException e) {
            return Optional.of("The disk of the data folder cannot be looked at.");
        }
        String has = "The disk of the data folder has " + left / MEGABYTE + " MB left";
        if (left < reserve) {
            return Optional.of(has + ", less than the " + reserve / MEGABYTE
                    + " MB that are kept for the store (disk-reserve): databases write no more.");
        }
        return left < 2 * reserve
                ? Optional.of(has + "; below " + reserve / MEGABYTE + " MB (disk-reserve) databases write no more.")
                : Optional.empty();
    }

    public void write(MetricsText text) {
        text.family("pilothouse_disk_reserve_bytes", MetricsText.Kind.GAUGE, "Disk that databases leave to the store.");
        text.sample("pilothouse_disk_reserve_bytes", reserve);
        try {
            long left = free.getAsLong();
            text.family("pilothouse_disk_free_bytes", MetricsText.Kind.GAUGE, "Room on the disk of the data folder.");
            text.sample("pilothouse_disk_free_bytes", left);
        } catch (UncheckedIOException e) {
            // Not having been able to look is in the log and in /readyz.
        }
    }

    @Override
    public void close() {
        rounds.close();
    }
}
