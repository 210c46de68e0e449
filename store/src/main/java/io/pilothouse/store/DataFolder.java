package io.pilothouse.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The folder of an embedded store: one process at a time, and only its owner reads what is inside. */
final class DataFolder implements AutoCloseable {
    static final String LOCK = "lock";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    static final FileAttribute<?> OWNERS_FILE = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    static final FileAttribute<?> OWNERS_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path folder;
    private final FileChannel lock;

    private DataFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Takes the folder, making it if need be; a sentence says why it cannot be had. */
    static DataFolder take(Path folder) {
        try {
            Files.createDirectories(folder, OWNERS_FOLDER);
            FileChannel channel = FileChannel.open(
                    folder.resolve(LOCK), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OWNERS_FILE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StoreRefused(
                        "The data folder " + folder + " is in use by another process: stop that one first.");
            }
            return new DataFolder(folder, channel);
        } catch (AccessDeniedException e) {
            throw new StoreRefused("The data folder " + folder + " is not writable for this user.", e);
        } catch (IOException e) {
            throw new StoreRefused("The data folder " + folder + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // This very process has it: no other word is needed, because a process opens its store once.
            return null;
        }
    }

    Path path() {
        return folder;
    }

    /** A file that exists and is its owner's alone; SQLite gives the files it makes beside it the same mode. */
    Path file(String name) {
        Path file = folder.resolve(name);
        try {
            if (Files.notExists(file)) {
                Files.createFile(file, OWNERS_FILE);
            }
            for (String suffix : List.of("", "-wal", "-shm")) {
                Path each = folder.resolve(name + suffix);
                if (Files.exists(each)) {
                    Files.setPosixFilePermissions(each, OWNER_ONLY);
                }
            }
            return file;
        } catch (IOException e) {
            throw new StoreRefused("The store " + file + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            // The process is about to end, and its locks end with it.
            System.getLogger(DataFolder.class.getName()).log(System.Logger.Level.WARNING, "Unlocking failed", e);
        }
    }
}
