package io.pilothouse.plane.local.disk;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipalLookupService;

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

    private PosixFileAttributes attributes(Path name) throws IOException {
        return view(name).readAttributes();
    }

    private PosixFileAttributeView view(Path name) {
        return stream.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }
}
