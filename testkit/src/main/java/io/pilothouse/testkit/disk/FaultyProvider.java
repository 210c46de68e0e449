package io.pilothouse.testkit.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does to the machine's files what is asked of a faulty disk, unless that fails. */
final class FaultyProvider extends FileSystemProvider {
    private final FaultyDisk disk;
    private final FaultyFileSystem fileSystem = new FaultyFileSystem(this);

    FaultyProvider(FaultyDisk disk) {
        this.disk = disk;
    }

    FaultyPath wrap(Path path) {
        return path instanceof FaultyPath already ? already : new FaultyPath(fileSystem, path);
    }

    static Path real(Path path) {
        return path instanceof FaultyPath(FaultyFileSystem _, Path real) ? real : path;
    }

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return fileSystem;
    }

    @Override
    public Path getPath(URI uri) {
        return wrap(Path.of(uri));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path file = real(path);
        boolean makes = options.contains(StandardOpenOption.CREATE_NEW)
                || (options.contains(StandardOpenOption.CREATE) && Files.notExists(file));
        if (makes || options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            disk.change(makes ? "create" : "empty", file);
        }
        return new FaultyChannel(disk, file, FileChannel.open(file, options, attributes));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> found = real(folder)
                .getFileSystem()
                .provider()
                .newDirectoryStream(real(folder), path -> filter.accept(wrap(path)));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> all = found.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public Path next() {
                        return wrap(all.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                found.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        Path real = real(folder);
        if (Files.exists(real)) {
            // Fails by itself, and changes nothing.
            Files.createDirectory(real, attributes);
        }
        disk.change("create folder", real);
        Files.createDirectory(real, attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        disk.change("link", real(link));
        Files.createLink(real(link), real(existing));
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.change("delete", real(path));
        Files.delete(real(path));
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        if (!Files.exists(real(path), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        delete(path);
        return true;
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        disk.change("copy", real(target));
        Files.copy(real(source), real(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        disk.change("move", real(target));
        Files.move(real(source), real(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return Files.isSameFile(real(path), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        Path real = real(path);
        real.getFileSystem().provider().checkAccess(real, modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        disk.change("set " + attribute, real(path));
        Files.setAttribute(real(path), attribute, value, options);
    }
}
