package io.pilothouse.plane.local.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The few file operations here that the JDK does not offer in one call. */
public final class Folders {
    static final FileAttribute<?> OWNERS_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    static final FileAttribute<?> OWNERS_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private Folders() {}

    /** Removes a folder and everything in it, but never the target of a link; does nothing if it does not exist. */
    public static void delete(Path folder) throws IOException {
        delete(parentOf(folder), folder.getFileName());
    }

    /**
     * The same for a folder below one that is trusted: whatever in between is a link, or becomes one meanwhile, is not
     * followed, because somebody else may write there.
     */
    public static void delete(Path trusted, Path below) throws IOException {
        Path folder = trusted.resolve(below);
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !HeldFolder.open(trusted, held -> held.delete(below))) {
            // Java cannot hold folders on some systems, and there databases run as the user of this program.
            deleteByPath(folder);
        }
    }

    private static void deleteByPath(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * Gives a folder, and what in it had the same owner, to another one, and follows no link; the folder itself comes
     * last, so that its owner shows that all the rest is done.
     */
    public static void give(Path folder, int user, int group) throws IOException {
        if (!HeldFolder.open(parentOf(folder), held -> held.give(folder.getFileName(), user, group))) {
            throw new IOException("this system cannot hold a folder while it is given away");
        }
    }

    /** How much the files in a folder take; nothing where there is none. */
    public static long size(Path folder) throws IOException {
        AtomicLong size = new AtomicLong();
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            requireHeld(HeldFolder.open(parentOf(folder), held -> size.set(held.size(folder.getFileName()))));
        }
        return size.get();
    }

    /** Copies a folder with what is in it, and follows no link; {@code links} gives the text of a link in the copy. */
    public static void copy(Path folder, Path to, UnaryOperator<Path> links) throws IOException {
        requireHeld(HeldFolder.open(parentOf(folder), held -> held.copy(folder.getFileName(), folder, to, links)));
    }

    private static void requireHeld(boolean held) throws IOException {
        if (!held) {
            throw new IOException("this system cannot hold a folder while it is read");
        }
    }

    private static Path parentOf(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "It is in a folder");
    }

    /** An action on a file before others see it. */
    public interface Change {
        void apply(Path file) throws IOException;
    }

    public static void replace(Path file, String text, String rights) throws IOException {
        replace(file, text, rights, unchanged -> {});
    }

    /**
     * Puts the text there in one step, so that a reader sees the old or the new one, after a power cut too;
     * it never has wider rights.
     */
    public static void replace(Path file, String text, String rights, Change before) throws IOException {
        Path next = file.resolveSibling("." + file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights)));
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        before.apply(next);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncNameOf(file);
    }

    /** Has a file's name outlive a power cut. */
    static void syncNameOf(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(parentOf(file), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Makes the folder if it does not exist, and gives it these rights. */
    public static void create(Path folder, String rights) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    }
}
