package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupPlaces;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.plane.local.bucket.BucketFault;
import io.pilothouse.plane.local.bucket.BucketTransfers;
import io.pilothouse.plane.local.disk.FileSums;
import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.proof.PartList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files of backups that were made: on this machine's disk, out of every database's reach, or in the bucket that a
 * backup belongs in, to which they go through that disk.
 */
public final class BackupFiles {
    private final Path store;
    private final BackupPlaces places;
    private final BucketTransfers transfers;
    private final FileSums sums;
    private final Map<UUID, Check> checks = new ConcurrentHashMap<>();

    /** The file that a service is to begin with, and what its SHA-256 was when it was made. */
    private record Check(Path file, String sha256) {}

    public BackupFiles(Path store, BackupPlaces places, BucketTransfers transfers, FileSums sums) {
        this.store = store;
        this.places = places;
        this.transfers = transfers;
        this.sums = sums;
    }

    Optional<String> refusal(BucketAccess bucket) {
        return transfers.refusal(bucket);
    }

    /**
     * How far its file is, as far as this machine knows: it is summed up and then safe from a power cut, and one that
     * belongs in a bucket is sent there.
     */
    Progress here(UUID service, UUID backup) throws DatabaseFailure, IOException {
        Optional<Progress> moving = transfers.find(backup);
        if (moving.isPresent()) {
            return moving.get();
        }
        Path kept = kept(service, backup);
        if (Files.notExists(kept)) {
            return new Progress.Unknown();
        }
        Optional<String> sum = sums.of(kept);
        if (sum.isEmpty()) {
            return new Progress.UnderWay();
        }
        Optional<BucketAccess> bucket = bucket(backup);
        return bucket.isPresent()
                ? transfers.send(backup, kept, bucket.get(), Backup.objectName(service, backup))
                : new Progress.Finished(new Archive(Files.size(kept), sum.get()));
    }

    /** Whether it has arrived in its bucket. One that does not answer is asked again when the file is sent. */
    Progress there(UUID service, UUID backup) throws DatabaseFailure {
        Optional<BucketAccess> bucket = bucket(backup);
        if (bucket.isPresent()) {
            try {
                OptionalLong size = transfers.open(bucket.get()).size(Backup.objectName(service, backup));
                if (size.isPresent()) {
                    // What was sent before a restart of the control plane is not summed up again.
                    String sum = sums.known(kept(service, backup)).orElse(null);
                    return new Progress.Finished(new Archive(size.getAsLong(), sum));
                }
            } catch (BucketFault unknown) {
                return new Progress.Unknown();
            }
        }
        return new Progress.Unknown();
    }

    /** Remembers what the service has before a backup of it is begun, to be compared with what it has at its end. */
    void noteBefore(UUID service, UUID backup, PartList parts) throws IOException {
        Folders.create(store, "rwx------");
        Folders.create(store.resolve(service.toString()), "rwx------");
        Folders.replace(before(service, backup), parts.text(), "rw-------");
    }

    /** What of the service is in the backup for certain; empty if it did not say. */
    Optional<PartList> parts(UUID service, UUID backup) throws IOException {
        return read(parts(kept(service, backup)));
    }

    private static Optional<PartList> read(Path file) throws IOException {
        return Files.exists(file)
                ? Optional.of(PartList.parse(Files.readString(file, StandardCharsets.UTF_8)))
                : Optional.empty();
    }

    /** Whether its file should be on this machine and is not. */
    boolean isLost(UUID service, UUID backup) throws DatabaseFailure {
        return bucket(backup).isEmpty() && Files.notExists(kept(service, backup));
    }

    /** Takes a file that a database wrote away from it; {@code after} is what the service has now, if it says so. */
    void keep(UUID service, UUID backup, Path written, Optional<PartList> after) throws DatabaseFailure, IOException {
        Path kept = kept(service, backup);
        Folders.create(store, "rwx------");
        Folders.create(store.resolve(service.toString()), "rwx------");
        Optional<PartList> before = read(before(service, backup));
        if (before.isPresent() && after.isPresent()) {
            Folders.replace(parts(kept), before.get().and(after.get()).text(), "rw-------");
        }
        Files.deleteIfExists(before(service, backup));
        Path next = kept.resolveSibling(kept.getFileName() + ".next");
        Folders.delete(next);
        try {
            Files.move(written, next, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherDisk) {
            Files.move(written, next, StandardCopyOption.REPLACE_EXISTING);
        }
        // It lay where the database's user can put anything, also a link to another file, and change it after a look.
        if (!Files.isRegularFile(next, LinkOption.NOFOLLOW_LINKS)) {
            Folders.delete(next);
            throw new DatabaseFailure("The database says that the backup is made, and its file is not there.");
        }
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        Files.move(next, kept, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes it wherever it is; whether anything was there. */
    boolean remove(UUID service, UUID backup) throws DatabaseFailure, IOException {
        boolean was = transfers.drop(backup);
        sums.forget(kept(service, backup));
        was |= Files.deleteIfExists(kept(service, backup));
        Files.deleteIfExists(before(service, backup));
        Files.deleteIfExists(parts(kept(service, backup)));
        Optional<BucketAccess> bucket = bucket(backup);
        if (bucket.isPresent()) {
            was |= there(service, backup) instanceof Progress.Finished;
            try {
                transfers.open(bucket.get()).delete(Backup.objectName(service, backup));
            } catch (BucketFault fault) {
                throw new DatabaseFailure("The backup cannot be deleted from its bucket: " + fault.getMessage(), fault);
            }
        }
        return was;
    }

    /** The file to restore from; empty while it is on its way from its bucket, or is not known to be whole. */
    Optional<Path> toRestore(UUID target, UUID source, UUID backup) throws DatabaseFailure {
        for (Path file : List.of(kept(source, backup), fetched(target))) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return checked(target, file, backup);
            }
        }
        Path fetched = fetched(target);
        BucketAccess bucket = bucket(backup)
                .orElseThrow(() -> new DatabaseFailure("The backup " + backup + " is not there any more."));
        try {
            Folders.create(store, "rwx------");
            Folders.create(store.resolve("fetched"), "rwx------");
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup cannot be fetched to this machine's disk.", failure);
        }
        if (transfers.fetch(target, bucket, Backup.objectName(source, backup), fetched)
                instanceof Progress.Failed(String reason)) {
            transfers.drop(target);
            throw new DatabaseFailure("The backup cannot be fetched. " + reason + ".");
        }
        return Optional.empty();
    }

    private Optional<Path> checked(UUID target, Path file, UUID backup) throws DatabaseFailure {
        Optional<String> made = places.sha256(backup);
        if (made.isPresent() && checks.putIfAbsent(target, new Check(file, made.get())) == null) {
            // Its sum from when it was made says nothing of what the disk has done to it since.
            sums.forget(file);
        }
        return coming(target) instanceof Progress.Unknown ? Optional.of(file) : Optional.empty();
    }

    /** How far the file is that this service is to begin with: on its way, being checked, or damaged. */
    Progress coming(UUID target) throws DatabaseFailure {
        if (transfers.find(target).filter(Progress.UnderWay.class::isInstance).isPresent()) {
            return new Progress.UnderWay();
        }
        Check check = checks.get(target);
        if (check == null) {
            return new Progress.Unknown();
        }
        try {
            Optional<String> sum = sums.of(check.file());
            if (sum.isEmpty()) {
                return new Progress.UnderWay();
            }
            return sum.get().equals(check.sha256())
                    ? new Progress.Unknown()
                    : new Progress.Failed("Its file is damaged: its SHA-256 is not what it was when it was made.");
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup's file cannot be read.", failure);
        }
    }

    /** What was fetched for this service is not needed any more. */
    void forget(UUID target) throws IOException {
        transfers.drop(target);
        checks.remove(target);
        sums.forget(fetched(target));
        Files.deleteIfExists(fetched(target));
    }

    private Optional<BucketAccess> bucket(UUID backup) throws DatabaseFailure {
        try {
            return places.of(backup);
        } catch (PlaneFault fault) {
            throw new DatabaseFailure(String.valueOf(fault.getMessage()), fault);
        }
    }

    private Path kept(UUID service, UUID backup) {
        return store.resolve(service.toString()).resolve(backup + ".tar.gz");
    }

    private Path before(UUID service, UUID backup) {
        return store.resolve(service.toString()).resolve(backup + ".before");
    }

    private static Path parts(Path kept) {
        return kept.resolveSibling(kept.getFileName().toString().replace(".tar.gz", ".parts"));
    }

    private Path fetched(UUID target) {
        return store.resolve("fetched").resolve(target + ".tar.gz");
    }
}
