package io.pilothouse.store.snapshot;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.snapshot.Snapshot;
import io.pilothouse.core.snapshot.Snapshots;
import io.pilothouse.store.rows.EpochNanos;
import io.pilothouse.store.rows.Rows;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Each snapshot is one compressed file of a folder, which only its owner reads, as the store beside it. A file gets its
 * name when it is whole and on the disk; what an attempt that was killed has left is removed at the next one.
 */
public final class SnapshotFiles implements Snapshots {
    private static final System.Logger LOG = System.getLogger(SnapshotFiles.class.getName());
    private static final String FILE = ".snapshot";
    private static final String DRAFT = ".draft";
    private static final FileAttribute<?> OWNERS_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> OWNERS_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final int BUFFER = 1 << 16;
    private static final Map<String, Rows<?>> ROWS = Rows.all().stream()
            .collect(Collectors.toUnmodifiableMap(rows -> rows.kind().table(), rows -> rows));

    private final Path folder;
    private final long form;

    /** {@code form} is that of the store: rows of another one are not put into it. */
    public SnapshotFiles(Path folder, int form) {
        this.folder = folder;
        this.form = form;
    }

    @Override
    public boolean keep(Snapshot snapshot, List<KeptRow> rows) {
        Path draft = folder.resolve(snapshot.name() + DRAFT);
        try {
            Files.createDirectories(folder, OWNERS_FOLDER);
            // What an attempt that was killed has left; there is one attempt at a time.
            for (Path left : files(DRAFT)) {
                Files.delete(left);
            }
            try (FileChannel file = FileChannel.open(
                    draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNERS_FILE)) {
                OutputStream packed = new GZIPOutputStream(Channels.newOutputStream(file), BUFFER) {
                    // The file is closed when it is on the disk.
                    @Override
                    public void close() throws IOException {
                        finish();
                    }
                };
                SnapshotText.write(packed, new SnapshotText.Heading(snapshot, form), rows);
                packed.close();
                file.force(true);
            }
            // A link, unlike a rename, fails where the name is taken.
            Files.createLink(file(snapshot.name()), draft);
            return true;
        } catch (FileAlreadyExistsException taken) {
            return false;
        } catch (IOException e) {
            throw unavailable("The snapshot cannot be written", e);
        } finally {
            forget(draft);
        }
    }

    private static void forget(Path draft) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "A draft of a snapshot is left over", e);
        }
    }

    @Override
    public List<Snapshot> list() {
        List<Snapshot> found = new ArrayList<>();
        for (Path file : files(FILE)) {
            try {
                heading(file).map(SnapshotText.Heading::snapshot).ifPresent(found::add);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "The snapshot in " + file + " cannot be read", e);
            }
        }
        found.sort(Comparator.comparing(Snapshot::takenAt).thenComparing(Snapshot::name));
        return found;
    }

    @Override
    public Optional<Snapshot> find(String name) {
        try {
            return heading(file(name)).map(SnapshotText.Heading::snapshot);
        } catch (IOException e) {
            throw damaged(name, e);
        }
    }

    @Override
    public Optional<List<KeptRow>> rows(String name) {
        try {
            Optional<SnapshotText.Heading> heading = heading(file(name));
            if (heading.isPresent() && heading.get().form() != form) {
                throw new Refused(
                        Refused.Reason.CONFLICT,
                        "The snapshot " + name + " is from another version of the store: it is of no use here");
            }
            return heading.isEmpty() ? Optional.empty() : Optional.of(read(file(name)));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException e) {
            throw damaged(name, e);
        }
    }

    private static List<KeptRow> read(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return SnapshotText.rows(in);
        }
    }

    private static Optional<SnapshotText.Heading> heading(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return Optional.of(SnapshotText.heading(in));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            return new GZIPInputStream(in, BUFFER);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public boolean delete(String name) {
        try {
            return Files.deleteIfExists(file(name));
        } catch (IOException e) {
            throw unavailable("The snapshot cannot be deleted", e);
        }
    }

    @Override
    public long bytes() {
        long bytes = 0;
        for (Path file : files(FILE)) {
            try {
                bytes += Files.size(file);
            } catch (NoSuchFileException gone) {
                // It takes no room.
            } catch (IOException e) {
                throw unavailable("The snapshots cannot be counted", e);
            }
        }
        return bytes;
    }

    private List<Path> files(String ending) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + ending)) {
            all.forEach(files::add);
        } catch (NoSuchFileException noneYet) {
            return List.of();
        } catch (IOException e) {
            throw unavailable("The snapshots cannot be listed", e);
        }
        return files;
    }

    private Path file(String name) {
        return folder.resolve(name + FILE);
    }

    private static Refused unavailable(String sentence, IOException e) {
        LOG.log(System.Logger.Level.ERROR, sentence, e);
        return new Refused(Refused.Reason.UNAVAILABLE, sentence + ": the log says why");
    }

    private static Refused damaged(String name, IOException e) {
        LOG.log(System.Logger.Level.ERROR, "The snapshot " + name + " cannot be read", e);
        return new Refused(Refused.Reason.CONFLICT, "The snapshot " + name + " is damaged: delete it");
    }

    @Override
    public boolean isThing(KeptRow row) {
        return ROWS.containsKey(row.table());
    }

    @Override
    public <T extends Stored> T read(Kind<T> kind, KeptRow row) {
        long createdAt = (Long) value(row, KeptRow.CREATED_AT);
        Head head = new Head(
                UUID.fromString(row.text(KeptRow.ID)),
                UUID.fromString(row.text(KeptRow.OWNER)),
                EpochNanos.toInstant(createdAt),
                1);
        return rows(kind).read(head, row.text(KeptRow.DOCUMENT).getBytes(StandardCharsets.UTF_8));
    }

    private static Object value(KeptRow row, int column) {
        Object value = row.values().get(column);
        if (value == null) {
            throw new IllegalStateException("A row of " + row.table() + " has no value where one must be");
        }
        return value;
    }

    @Override
    public <T extends Stored> KeptRow write(Kind<T> kind, T thing) {
        Rows<T> rows = rows(kind);
        @Nullable
        Object[] values = {
            thing.id().toString(),
            thing.ownerId().toString(),
            rows.reference().apply(thing),
            EpochNanos.of(thing.createdAt()),
            rows.label().apply(thing),
            rows.write(thing, 1).document()
        };
        return new KeptRow(kind.table(), Arrays.asList(values));
    }

    @SuppressWarnings("unchecked") // A kind is registered with rows of its own type.
    private static <T extends Stored> Rows<T> rows(Kind<T> kind) {
        Rows<?> rows = ROWS.get(kind.table());
        if (rows == null) {
            throw new IllegalArgumentException("The store has no rows for " + kind);
        }
        return (Rows<T>) rows;
    }
}
