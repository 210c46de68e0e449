package io.pilothouse.plane.local.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A folder that is held by its descriptor: what is in it is reached by name from there, so that no link which somebody
 * puts in the way is followed.
 */
final class HeldFolder {
    /** Databases nest a dozen; each level takes a descriptor. */
    private static final int MAX_DEPTH = 200;

    private final SecureDirectoryStream<Path> stream;
    private final int depth;

    private HeldFolder(SecureDirectoryStream<Path> stream, int depth) {
        this.stream = stream;
        this.depth = depth;
    }

    /** Work in a held folder. */
    @FunctionalInterface
    interface Work {
        void run(HeldFolder held) throws IOException;
    }

    /** Holds a folder to whose path nobody else can put a link; false, with nothing done, where Java cannot hold one. */
    static boolean open(Path trusted, Work work) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(trusted)) {
            if (stream instanceof SecureDirectoryStream<Path> held) {
                work.run(new HeldFolder(held, 0));
                return true;
            }
            return false;
        }
    }

    private void inside(Path name, Work work) throws IOException {
        if (depth == MAX_DEPTH) {
            throw new IOException("the folder " + name + " is nested too deeply");
        }
        try (SecureDirectoryStream<Path> inside = stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            work.run(new HeldFolder(inside, depth + 1));
        }
    }

    /** Removes what is there under this path below, if anything is. */
    void delete(Path below) throws IOException {
        if (below.getNameCount() > 1) {
            inside(below.getName(0), next -> next.delete(below.subpath(1, below.getNameCount())));
            return;
        }
        try {
            if (attributes(below).isDirectory()) {
                inside(below, HeldFolder::deleteAll);
                stream.deleteDirectory(below);
            } else {
                stream.deleteFile(below);
            }
        } catch (NoSuchFileException gone) {
            // Somebody else was faster.
        }
    }

    private void deleteAll() throws IOException {
        for (Path entry : stream) {
            delete(entry.getFileName());
        }
    }

    /** Gives a folder, and what in it has its owner; anything else there may be somebody else's by another name. */
    void give(Path name, int user, int group) throws IOException {
        PosixFileAttributes folder = attributes(name);
        give(name, folder, new NewOwner(folder.owner().getName(), user, group));
    }

    private record NewOwner(String before, int user, int group) {}

    private void give(Path name, PosixFileAttributes found, NewOwner owner) throws IOException {
        if (!found.owner().getName().equals(owner.before())) {
            return;
        }
        if (found.isDirectory()) {
            inside(name, next -> next.giveAll(owner));
        }
        // The system asks for the file itself, and a link or a pipe is not opened for that.
        if (found.isDirectory() || found.isRegularFile()) {
            PosixFileAttributeView view = view(name);
            UserPrincipalLookupService names = name.getFileSystem().getUserPrincipalLookupService();
            view.setGroup(names.lookupPrincipalByGroupName(Integer.toString(owner.group())));
            view.setOwner(names.lookupPrincipalByName(Integer.toString(owner.user())));
        }
    }

    private void giveAll(NewOwner owner) throws IOException {
        for (Path entry : stream) {
            give(entry.getFileName(), attributes(entry.getFileName()), owner);
        }
    }

    /** How much the files in what has this name take; a file of several names counts once for each. */
    long size(Path name) throws IOException {
        PosixFileAttributes found = attributes(name);
        if (!found.isDirectory()) {
            return found.isRegularFile() ? found.size() : 0;
        }
        AtomicLong size = new AtomicLong();
        inside(name, next -> {
            for (Path entry : next.stream) {
                size.addAndGet(next.size(entry.getFileName()));
            }
        });
        return size.get();
    }

    /**
     * Copies what has this name: folders, files and the texts of links, the owner's alone to read. Where the file
     * system can, copy and origin share their blocks until one of them changes. {@code links} gives the text of a link
     * in the copy.
     */
    void copy(Path name, Path from, Path to, UnaryOperator<Path> links) throws IOException {
        PosixFileAttributes found = attributes(name);
        if (found.isDirectory()) {
            Files.createDirectory(to, Folders.OWNERS_FOLDER);
            inside(name, next -> {
                for (Path entry : next.stream) {
                    Path file = entry.getFileName();
                    next.copy(file, from.resolve(file), to.resolve(file), links);
                }
            });
        } else if (found.isSymbolicLink()) {
            Files.createSymbolicLink(to, links.apply(Files.readSymbolicLink(from)));
        } else if (found.isRegularFile()) {
            try (SeekableByteChannel origin =
                            stream.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                    FileChannel copy = FileChannel.open(
                            to, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), Folders.OWNERS_FILE)) {
                transfer(origin, copy);
            }
        }
    }

    /** Between two files the JDK asks the system to copy the range, which shares blocks where it can. */
    private static void transfer(SeekableByteChannel from, FileChannel to) throws IOException {
        long size = from.size();
        long done = 0;
        while (done < size) {
            long step = from instanceof FileChannel file
                    ? file.transferTo(done, size - done, to)
                    : to.transferFrom(from, done, size - done);
            if (step <= 0) {
                throw new IOException("a file became shorter while it was copied");
            }
            done += step;
        }
    }

    private PosixFileAttributes attributes(Path name) throws IOException {
        return view(name).readAttributes();
    }

    private PosixFileAttributeView view(Path name) {
        return stream.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }
}
