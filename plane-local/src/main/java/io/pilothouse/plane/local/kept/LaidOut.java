package io.pilothouse.plane.local.kept;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.snapshot.SnapshotData;
import io.pilothouse.plane.local.DatabaseFailure;
import io.pilothouse.plane.local.LocalDatabases;
import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Copies in a folder beside those of services, and in one beside those of backups: each is moved to its place by one
 * rename, so that what is still there is what is left to do. A service that is to have nothing has a mark instead.
 */
final class LaidOut implements SnapshotData.Copies {
    private static final Logger LOG = System.getLogger(LaidOut.class.getName());
    private static final String FOLDER = ".copies-";
    private static final String EMPTY = ".empty";

    private final LocalDatabases databases;
    private final LocalSnapshotData.Places places;
    private final UUID id;
    private final LocalSnapshotData.Forgetting forgetting;

    LaidOut(
            LocalDatabases databases,
            LocalSnapshotData.Places places,
            UUID id,
            LocalSnapshotData.Forgetting forgetting) {
        this.databases = databases;
        this.places = places;
        this.id = id;
        this.forgetting = forgetting;
    }

    /** What is laid out, by an earlier start of the program too. */
    static List<Path> found(LocalSnapshotData.Places places) {
        try {
            List<Path> found = new ArrayList<>(LocalSnapshotData.found(places.services(), FOLDER + "*"));
            // The folder beside the services goes last.
            for (Path folder : LocalSnapshotData.found(places.backups(), FOLDER + "*")) {
                Path beside = places.services().resolve(folder.getFileName());
                if (!found.contains(beside)) {
                    found.add(beside);
                }
            }
            return found;
        } catch (IOException failure) {
            throw LocalSnapshotData.refused("The copies of services cannot be listed", failure);
        }
    }

    static UUID idOf(Path folder) {
        return UUID.fromString(String.valueOf(folder.getFileName()).substring(FOLDER.length()));
    }

    @Override
    public UUID id() {
        return id;
    }

    void begin() throws IOException {
        Folders.create(ofServices(), "rwx------");
        Folders.create(places.backups(), "rwx------");
        Folders.create(ofBackups(), "rwx------");
    }

    private Path ofServices() {
        return places.services().resolve(FOLDER + id);
    }

    private Path ofBackups() {
        return places.backups().resolve(FOLDER + id);
    }

    Path service(UUID service) {
        return ofServices().resolve(service.toString());
    }

    Path backups(UUID service) {
        return ofBackups().resolve(service.toString());
    }

    void empty(UUID service) throws IOException {
        Files.createDirectory(ofServices().resolve(service + EMPTY));
    }

    @Override
    public void alsoEmpty(Set<UUID> services) {
        try {
            for (UUID service : services) {
                empty(service);
                Files.createDirectory(backups(service));
            }
        } catch (IOException failure) {
            throw LocalSnapshotData.refused("The copies of services cannot be laid out", failure);
        }
    }

    @Override
    public void putInPlace() {
        try {
            for (Path next : LocalSnapshotData.found(ofBackups(), "*")) {
                Path place = places.backups().resolve(next.getFileName());
                Folders.delete(place);
                Files.move(next, place, StandardCopyOption.ATOMIC_MOVE);
            }
            for (Path next : LocalSnapshotData.found(ofServices(), "*")) {
                replace(next);
            }
            Folders.delete(ofBackups());
            Folders.delete(ofServices());
        } catch (IOException | DatabaseFailure failure) {
            throw new Refused(
                    Refused.Reason.UNAVAILABLE,
                    LocalSnapshotData.refused("The copies of services cannot be put in place", failure)
                                    .sentence() + "; the next start of the program goes on with it");
        } catch (InterruptedException stopping) {
            throw LocalSnapshotData.interrupted(stopping);
        }
    }

    private void replace(Path next) throws IOException, DatabaseFailure, InterruptedException {
        String name = String.valueOf(next.getFileName());
        UUID service = UUID.fromString(name.replace(EMPTY, ""));
        forgetting.of(service);
        databases.erase(service);
        if (name.endsWith(EMPTY)) {
            Files.delete(next);
        } else {
            databases.end(service, place -> Files.move(next, place, StandardCopyOption.ATOMIC_MOVE));
        }
    }

    @Override
    public void discard() {
        try {
            Folders.delete(ofBackups());
            Folders.delete(ofServices());
        } catch (IOException failure) {
            LOG.log(Level.WARNING, "Copies that are of no use are left over: the next start removes them", failure);
        }
    }
}
