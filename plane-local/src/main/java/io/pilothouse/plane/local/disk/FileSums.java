package io.pilothouse.plane.local.disk;

import io.pilothouse.core.secret.SecretHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of files, made in the background and one at a time, because a file may take minutes to read. A file that
 * has one is on the disk too. What is remembered may be lost, and is then made again. Safe for many threads.
 */
public final class FileSums {
    private static final int MAX_REMEMBERED = 1_000;
    private static final int BUFFER_BYTES = 1 << 20;

    private final ExecutorService threads;
    private final Semaphore turn = new Semaphore(1);
    private final Map<Path, Future<String>> all = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Future<String>> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    public FileSums(ExecutorService threads) {
        this.threads = threads;
    }

    /** The sum in hexadecimal digits; empty while it is being made, which the first question begins. */
    public Optional<String> of(Path file) throws IOException {
        Future<String> sum = begun(file);
        if (!sum.isDone()) {
            return Optional.empty();
        }
        try {
            return Optional.of(sum.get());
        } catch (ExecutionException failure) {
            forget(file);
            throw new IOException("The file cannot be read to its end.", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The sum that was made of this file, if it is remembered. */
    public Optional<String> known(Path file) {
        Future<String> sum = find(file);
        return sum != null && sum.state() == Future.State.SUCCESS ? Optional.of(sum.resultNow()) : Optional.empty();
    }

    /** The next question reads the file again. */
    public synchronized void forget(Path file) {
        Future<String> sum = all.remove(file);
        if (sum != null) {
            sum.cancel(true);
        }
    }

    private synchronized @Nullable Future<String> find(Path file) {
        return all.get(file);
    }

    private synchronized Future<String> begun(Path file) {
        return all.computeIfAbsent(file, fresh -> threads.submit(() -> inTurn(fresh)));
    }

    private String inTurn(Path file) throws IOException, InterruptedException {
        turn.acquire();
        try {
            MessageDigest digest = SecretHash.newSha256();
            byte[] buffer = new byte[BUFFER_BYTES];
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    digest.update(buffer, 0, count);
                }
            }
            sync(file);
            return HexFormat.of().formatHex(digest.digest());
        } finally {
            turn.release();
        }
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            channel.force(true);
        }
        Folders.syncNameOf(file);
    }
}
