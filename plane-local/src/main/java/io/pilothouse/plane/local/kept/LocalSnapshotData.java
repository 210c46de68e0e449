package io.pilothouse.plane.local.kept;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.snapshot.SnapshotData;
import io.pilothouse.plane.local.DatabaseFailure;
import io.pilothouse.plane.local.LocalDatabases;
import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.turn.AllAtOnce;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;

/**
 * Copies of databases' folders and of the files of backups, for snapshots. Where the file system can, a copy shares its
 * blocks with what it is of. A database's own ports, password and log are not copied: it gets others at its start.
 */
public final class LocalSnapshotData implements SnapshotData {
    private static final Logger LOG = System.getLogger(LocalSnapshotData.class.getName());
    private static final String DATA = ".data";
    private static final String BACKUPS = "backups";
    private static final List<String> COPIED = List.of("data", "user_files", "format_schemas");
    private static final String RESTORES = "restore-*";

    private final LocalDatabases databases;
    private final Places places;
    private final long reserve;
    private final ExecutorService threads;
    private final Forgetting forgetting;

    /** The folders of snapshots, of services, and of the files of backups. */
    public record Places(Path snapshots, Path services, Path backups) {}

    /** Has everything forgotten that is remembered of a service whose data is another from now on. */
    @FunctionalInterface
    public interface Forgetting {
        void of(UUID service) throws DatabaseFailure;
    }

    /** {@code reserve} is how many bytes of the disk stay free. */
    public LocalSnapshotData(
            LocalDatabases databases, Places places, long reserve, ExecutorService threads, Forgetting forgetting) {
        this.databases = databases;
        this.places = places;
        this.reserve = reserve;
        this.threads = threads;
        this.forgetting = forgetting;
    }

    /** After a start: copies whose rows are in the store are put in place, and others are discarded. */
    public void begin(Optional<UUID> committed) {
        for (Path folder : LaidOut.found(places)) {
            LaidOut laid = new LaidOut(databases, places, LaidOut.idOf(folder), forgetting);
            if (committed.equals(Optional.of(laid.id()))) {
                laid.putInPlace();
            } else {
                laid.discard();
            }
        }
    }

    @Override
    public void end(Set<UUID> services) {
        try {
            AllAtOnce.run(threads, services, DatabaseFailure.class, databases::stop);
        } catch (DatabaseFailure failure) {
            throw refused("A database could not be ended", failure);
        } catch (InterruptedException stopping) {
            throw interrupted(stopping);
        }
    }

    @Override
    public long keep(String snapshot, Set<UUID> services) {
        try {
            long bytes = 0;
            for (UUID service : services) {
                for (String part : COPIED) {
                    bytes += Folders.size(service(service).resolve(part));
                }
            }
            Path place = place(snapshot);
            Folders.create(places.snapshots(), "rwx------");
            requireRoom(bytes, places.snapshots());
            Folders.create(place, "rwx------");
            for (UUID service : services) {
                if (Files.isDirectory(service(service), LinkOption.NOFOLLOW_LINKS)) {
                    databases.end(
                            service,
                            folder -> copy(folder, place.resolve(service.toString()), UnaryOperator.identity()));
                }
                BackupCopies.copy(
                        places.backups().resolve(service.toString()),
                        place.resolve(BACKUPS).resolve(service.toString()),
                        UnaryOperator.identity());
            }
            return bytes;
        } catch (IOException | DatabaseFailure failure) {
            throw refused("The data cannot be copied", failure);
        } catch (InterruptedException stopping) {
            throw interrupted(stopping);
        }
    }

    /** The parts of a service's folder that go on in a copy; {@code ids} is asked for those in names of marks. */
    private static void copy(Path folder, Path to, UnaryOperator<UUID> ids) throws IOException {
        Files.createDirectory(to);
        for (String part : COPIED) {
            if (Files.isDirectory(folder.resolve(part), LinkOption.NOFOLLOW_LINKS)) {
                Folders.copy(folder.resolve(part), to.resolve(part), text -> text);
            }
        }
        try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder, RESTORES)) {
            for (Path mark : marks) {
                Files.copy(mark, to.resolve(BackupCopies.renamed(String.valueOf(mark.getFileName()), ids)));
            }
        }
    }

    @Override
    public void keepOnly(Set<String> snapshots) {
        try {
            for (Path place : found(places.snapshots(), "*" + DATA)) {
                String name = String.valueOf(place.getFileName());
                if (!snapshots.contains(name.substring(0, name.length() - DATA.length()))) {
                    Folders.delete(place);
                }
            }
        } catch (IOException failure) {
            throw refused("The data of a snapshot cannot be removed", failure);
        }
    }

    @Override
    public Copies layOut(String snapshot, Map<UUID, UUID> services, UnaryOperator<UUID> ids) {
        Path place = place(snapshot);
        LaidOut laid = new LaidOut(databases, places, UUID.randomUUID(), forgetting);
        boolean whole = false;
        try {
            requireRoom(Folders.size(place), places.services());
            laid.begin();
            for (Map.Entry<UUID, UUID> each : services.entrySet()) {
                layOut(laid, place, each.getValue(), each.getKey(), ids);
            }
            whole = true;
            return laid;
        } catch (IOException failure) {
            throw refused("The data cannot be copied", failure);
        } finally {
            if (!whole) {
                laid.discard();
            }
        }
    }

    private void layOut(LaidOut laid, Path place, UUID then, UUID now, UnaryOperator<UUID> ids) throws IOException {
        Path kept = place.resolve(then.toString());
        if (Files.isDirectory(kept)) {
            Path before = service(then);
            Path after = service(now);
            Path to = laid.service(now);
            Files.createDirectory(to);
            for (String part : COPIED) {
                if (Files.isDirectory(kept.resolve(part))) {
                    // A database has links to folders of its own data, by their whole path in some versions.
                    Folders.copy(
                            kept.resolve(part),
                            to.resolve(part),
                            text -> text.startsWith(before) ? after.resolve(before.relativize(text)) : text);
                }
            }
            try (DirectoryStream<Path> marks = Files.newDirectoryStream(kept, RESTORES)) {
                for (Path mark : marks) {
                    Files.copy(mark, to.resolve(BackupCopies.renamed(String.valueOf(mark.getFileName()), ids)));
                }
            }
        } else {
            laid.empty(now);
        }
        Path backups = laid.backups(now);
        BackupCopies.copy(place.resolve(BACKUPS).resolve(then.toString()), backups, ids);
        Files.createDirectories(backups);
    }

    private void requireRoom(long bytes, Path where) throws IOException {
        long free = Files.getFileStore(where).getUsableSpace() - reserve;
        if (bytes > free) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "The data takes " + (bytes >> 20) + " MiB, and of the disk " + (Math.max(0, free) >> 20)
                            + " MiB may be used: delete snapshots, or free some of it");
        }
    }

    static List<Path> found(Path folder, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, pattern)) {
            all.forEach(found::add);
        } catch (NoSuchFileException noneYet) {
            return List.of();
        }
        return found;
    }

    private Path place(String snapshot) {
        return places.snapshots().resolve(snapshot + DATA);
    }

    private Path service(UUID id) {
        return places.services().resolve(id.toString());
    }

    static Refused refused(String sentence, Exception failure) {
        LOG.log(Level.ERROR, sentence, failure);
        return new Refused(Refused.Reason.UNAVAILABLE, sentence + ": the log says why");
    }

    static Refused interrupted(InterruptedException stopping) {
        LOG.log(Level.DEBUG, "Work on the data of services was cut short", stopping);
        Thread.currentThread().interrupt();
        return new Refused(Refused.Reason.UNAVAILABLE, "The program is stopping");
    }
}
