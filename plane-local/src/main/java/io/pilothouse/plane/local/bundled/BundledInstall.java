package io.pilothouse.plane.local.bundled;

import io.pilothouse.plane.local.disk.Folders;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Fetches the bundled ClickHouse into the cache folder, once. The library appears there complete and verified, or not
 * at all: all work is done in a staging folder beside it, one install at a time, and ends with one rename.
 */
public final class BundledInstall {
    /** The result; a failure's reason is a sentence for a person. */
    public sealed interface Outcome {
        record Installed(Path library) implements Outcome {}

        record Failed(String reason) implements Outcome {}
    }

    // The archive, npm's own copy of it, and the library.
    private static final long BYTES_NEEDED = 1_000_000_000L;
    private static final Duration MAX_WAIT_FOR_OTHERS = Duration.ofMinutes(30);

    private final BundledPackage wanted;
    private final Path cache;
    private final Npm npm;
    private final Consumer<String> progress;

    public BundledInstall(BundledPackage wanted, Path cache, Npm npm, Consumer<String> progress) {
        this.wanted = wanted;
        this.cache = cache;
        this.npm = npm;
        this.progress = progress;
    }

    public Outcome run() throws InterruptedException {
        try {
            Files.createDirectories(cache);
            try (FileChannel channel = FileChannel.open(
                            cache.resolve("install.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock(channel)) {
                return held.isValid() && Files.isRegularFile(library())
                        ? new Outcome.Installed(library())
                        : installAlone();
            }
        } catch (InstallRefused refusal) {
            return new Outcome.Failed(String.valueOf(refusal.getMessage()));
        } catch (IOException failure) {
            return new Outcome.Failed("ClickHouse cannot be installed in " + cache + ": " + reasonOf(failure) + ".");
        }
    }

    private Path library() {
        return cache.resolve(wanted.folderName()).resolve(wanted.libraryFile());
    }

    private FileLock lock(FileChannel channel) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + MAX_WAIT_FOR_OTHERS.toNanos();
        boolean announced = false;
        while (System.nanoTime() < deadline) {
            Optional<FileLock> lock = tryLock(channel);
            if (lock.isPresent()) {
                return lock.get();
            }
            if (!announced) {
                progress.accept("Another install of ClickHouse is under way; waiting for it.");
                announced = true;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        throw new InstallRefused("Another install of ClickHouse has held " + cache + " for too long.");
    }

    private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException heldByThisProcess) {
            return Optional.empty();
        }
    }

    private Outcome installAlone() throws IOException, InterruptedException {
        long free = Files.getFileStore(cache).getUsableSpace();
        if (free < BYTES_NEEDED) {
            throw new InstallRefused("ClickHouse needs " + megabytes(BYTES_NEEDED) + " in " + cache + ", and only "
                    + megabytes(free) + " are free.");
        }
        Path staging = cache.resolve("staging");
        // Left by a killed install; holding the lock means that no other install uses it.
        Folders.delete(staging);
        Files.createDirectories(staging);
        try {
            Path archive = fetch(staging);
            check(archive, expectedSum(staging));
            Path folder = Files.createDirectories(staging.resolve(wanted.folderName()));
            unpack(archive, folder.resolve(wanted.libraryFile()));
            Files.move(folder, cache.resolve(wanted.folderName()), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(staging);
        }
        progress.accept("ClickHouse " + wanted.version() + " is installed in " + cache + ".");
        return new Outcome.Installed(library());
    }

    private Path fetch(Path staging) throws IOException, InterruptedException {
        progress.accept("Fetching " + wanted.specification() + " with npm.");
        npm.pack(wanted.specification(), staging, bytes -> progress.accept(megabytes(bytes) + " fetched so far."));
        try (Stream<Path> files = Files.list(staging)) {
            return files.filter(file -> file.toString().endsWith(".tgz"))
                    .findFirst()
                    .orElseThrow(() -> new InstallRefused("npm ended well and left no archive."));
        }
    }

    private String expectedSum(Path staging) throws IOException, InterruptedException {
        if (wanted.integrity().isPresent()) {
            return wanted.integrity().get();
        }
        progress.accept("No sum is pinned for this platform; the download is checked against the registry's own.");
        return npm.registrySum(wanted.specification(), staging);
    }

    private void check(Path archive, String expected) throws IOException {
        String found = sumOf(archive);
        if (!found.equals(expected)) {
            throw new InstallRefused("The download of " + wanted.specification()
                    + " is not what it should be (its SHA-512 differs); nothing was installed.");
        }
        progress.accept("The download has the expected SHA-512; unpacking it.");
    }

    /** The checksum as npm writes it: {@code sha512-} and Base64. */
    static String sumOf(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digesting = new DigestInputStream(in, MessageDigest.getInstance("SHA-512"))) {
            digesting.transferTo(OutputStream.nullOutputStream());
            return "sha512-"
                    + Base64.getEncoder()
                            .encodeToString(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JDK has SHA-512.", impossible);
        }
    }

    private void unpack(Path archive, Path target) throws IOException {
        try (InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16));
                FileChannel channel =
                        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            new TarArchive(in).copy(wanted.libraryFile(), out);
            out.flush();
            // The rename that follows must not reach the disk before the bytes do.
            channel.force(true);
        }
    }

    private static String megabytes(long bytes) {
        return bytes / 1_000_000 + " MB";
    }

    private static String reasonOf(IOException failure) {
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return message.contains("No space left") ? "the disk is full" : message;
    }

    /** A failure that a person can do something about. */
    static final class InstallRefused extends IOException {
        private static final long serialVersionUID = 1L;

        InstallRefused(String sentence) {
            super(sentence);
        }

        InstallRefused(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }
}
