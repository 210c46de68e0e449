package io.pilothouse.incoming.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Puts whole files in place so that a crash leaves the old or the new one, never a part, and never with wider rights. */
public final class DurableFile {
    public static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    public static final Set<PosixFilePermission> WORLD_READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private DurableFile() {}

    public static void replace(Path file, byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        Path folder = folderOf(file);
        Path draft = folder.resolve(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel =
                FileChannel.open(draft, options, PosixFilePermissions.asFileAttribute(permissions))) {
            // the process's mask may have taken rights away
            Files.setPosixFilePermissions(draft, permissions);
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalArgumentException("A folder cannot be replaced by a file: " + file);
        }
        return folder;
    }
}
