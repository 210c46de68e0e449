package io.pilothouse.plane.local;

import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.user.DatabaseUsers;
import io.pilothouse.plane.local.user.RunAs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folders of all services, held by one control plane at a time; the port sets that they name are given out here.
 */
final class ServiceFolders implements AutoCloseable {
    private static final String ERASING = ".erasing-";
    private static final String PRIVATE = "rwx------";

    private final Path root;
    private final DatabaseUsers users;
    private final PortSets ports;
    private final FileChannel lockFile;
    private final FileLock lock;

    private ServiceFolders(Path root, DatabaseUsers users, PortSets ports, FileChannel lockFile, FileLock lock) {
        this.root = root;
        this.users = users;
        this.ports = ports;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Locks the folder; refuses when another control plane has it. */
    static ServiceFolders open(Path root, DatabaseUsers users, PortSets.PortRange range)
            throws IOException, DatabaseFailure {
        // The databases' users may pass through to their own folders, and cannot list the others.
        Folders.create(root, users.areOthers() ? "rwx--x--x" : PRIVATE);
        FileChannel channel =
                FileChannel.open(root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new DatabaseFailure("Another control plane works on the folder " + root + ".");
        }
        ServiceFolders folders = new ServiceFolders(root, users, new PortSets(range, PortSets::isFree), channel, lock);
        for (UUID id : folders.all()) {
            folders.of(id).ports().ifPresent(set -> folders.ports.remember(id, set));
            users.remember(id, folders.of(id).path());
        }
        for (UUID id : named(root, ERASING)) {
            users.remember(id, folders.erasing(id));
        }
        return folders;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    Path root() {
        return root;
    }

    ServiceFolder of(UUID id) {
        return new ServiceFolder(root, id);
    }

    /** Whether anything of the service is left, even if only the remains of an interrupted erasure. */
    boolean exists(UUID id) {
        return of(id).exists() || Files.exists(erasing(id), LinkOption.NOFOLLOW_LINKS);
    }

    /** Every service that has a folder, in no particular order. */
    List<UUID> all() throws IOException {
        return named(root, "");
    }

    /** The same of a folder that may not be there. */
    static List<UUID> in(Path root) throws IOException {
        return Files.isDirectory(root) ? named(root, "") : List.of();
    }

    private static List<UUID> named(Path root, String prefix) throws IOException {
        List<UUID> ids = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (name.startsWith(prefix)) {
                    idOf(name.substring(prefix.length())).ifPresent(ids::add);
                }
            }
        }
        return ids;
    }

    static Optional<UUID> idOf(Path folder) {
        return idOf(folder.getFileName().toString());
    }

    static Optional<UUID> idOf(String name) {
        try {
            UUID id = UUID.fromString(name);
            return id.toString().equals(name) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }

    /** Makes the service's folder and ports if they are not there yet; {@code needed} of its ports must be free. */
    PortSet prepare(ServiceFolder folder, int needed) throws IOException, DatabaseFailure {
        if (folder.leftWith().isPresent()) {
            throw new DatabaseFailure("It went to another host, and its data here is older than it is there.");
        }
        RunAs user = userOf(folder.id());
        Folders.create(folder.path(), users.areOthers() ? "rwx--x---" : PRIVATE);
        user.share(folder.path());
        for (Path path : folder.working()) {
            if (!Files.isDirectory(path)) {
                Folders.create(path, PRIVATE);
            }
            user.own(path);
        }
        Optional<PortSet> had = ports.of(folder.id());
        if (had.isPresent() && had.get().all().limit(needed).allMatch(PortSets::isFree)) {
            return had.get();
        }
        // These ports are not public, so a set of which another process holds a port is left to it.
        PortSet given = ports.give(folder.id());
        folder.keepPorts(given);
        return given;
    }

    /** The user that its database runs as. */
    RunAs userOf(UUID id) throws DatabaseFailure {
        return users.of(id)
                .orElseThrow(() -> new DatabaseFailure("All users that databases of this machine may have are taken."));
    }

    Optional<PortSet> portsOf(UUID id) {
        return ports.of(id);
    }

    /** Writes the files that the database reads at its start, and again on a reload. */
    void write(ServiceFolder folder, ConfigFiles files, DatabaseSettings settings, String ownPassword)
            throws IOException, DatabaseFailure {
        RunAs user = userOf(folder.id());
        writeShared(folder.config(), files.config(settings), user);
        writeShared(folder.users(), files.users(settings, ownPassword), user);
    }

    private void writeShared(Path file, String text, RunAs user) throws IOException {
        Folders.replace(file, text, users.areOthers() ? "rw-r-----" : "rw-------", user::share);
    }

    /**
     * Removes the service's folder; begins with one rename, so that an interrupted erasure never leaves half a service.
     */
    void erase(UUID id) throws IOException {
        Folders.delete(erasing(id));
        if (of(id).exists()) {
            Files.move(of(id).path(), erasing(id), StandardCopyOption.ATOMIC_MOVE);
            Folders.delete(erasing(id));
        }
        ports.release(id);
        users.release(id);
    }

    /** Completes interrupted erasures, and returns the services they belonged to. */
    List<UUID> finishErasures() throws IOException {
        List<UUID> ids = named(root, ERASING);
        for (UUID id : ids) {
            Folders.delete(erasing(id));
            users.release(id);
        }
        return ids;
    }

    private Path erasing(UUID id) {
        return root.resolve(ERASING + id);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockFile.close();
    }
}
