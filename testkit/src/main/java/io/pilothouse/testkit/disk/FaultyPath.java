package io.pilothouse.testkit.disk;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of the machine, whose files are reached through a faulty disk. */
record FaultyPath(FaultyFileSystem disk, Path real) implements Path {
    private @Nullable Path wrapped(@Nullable Path path) {
        return path == null ? null : disk.wrap(path);
    }

    @Override
    public FileSystem getFileSystem() {
        return disk;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrapped(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrapped(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrapped(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return disk.wrap(real.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return disk.wrap(real.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return real.startsWith(FaultyProvider.real(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return real.endsWith(FaultyProvider.real(other));
    }

    @Override
    public Path normalize() {
        return disk.wrap(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return disk.wrap(real.resolve(FaultyProvider.real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return disk.wrap(real.relativize(FaultyProvider.real(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public File toFile() {
        return real.toFile();
    }

    @Override
    public Path toAbsolutePath() {
        return disk.wrap(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return disk.wrap(real.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(FaultyProvider.real(other));
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
