package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Service;
import io.pilothouse.plane.local.DatabaseClient.Answer;
import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.proof.PartList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Backups of services, kept out of every database's reach: a database writes one into its own exchange folder, from
 * which it is moved away, and gets a copy there to restore from. Every call may be repeated at any time.
 */
public final class DatabaseBackups {
    private static final Duration MAX_ANSWER = Duration.ofSeconds(30);
    private static final String NOT_THE_USERS = "DATABASES system, INFORMATION_SCHEMA, information_schema";
    // These stand for what SQL made, and hold nothing of what came from files.
    private static final String MADE_BY_SQL = "TABLE system.users, TABLE system.roles, TABLE system.settings_profiles,"
            + " TABLE system.row_policies, TABLE system.quotas, TABLE system.functions";

    private static final Archive NO_FILE = Archive.of(0);

    private final LocalDatabases databases;
    private final BackupFiles files;
    private final Map<UUID, Set<UUID>> droppedOfService = new ConcurrentHashMap<>();

    public DatabaseBackups(LocalDatabases databases, BackupFiles files) {
        this.databases = databases;
        this.files = files;
    }

    /** Why the database that runs the service cannot be backed up, from memory; unknown while it does not run. */
    Optional<String> refusal(UUID service) {
        return databases
                .address(service)
                .filter(address -> !address.capabilities().backup())
                .map(DatabaseBackups::cannot);
    }

    private static String cannot(DatabaseAddress address) {
        return "This ClickHouse (" + address.capabilities().version() + ") can neither back up nor restore.";
    }

    /** Why no backup can go to such a bucket. */
    Optional<String> refusal(BucketAccess bucket) {
        return files.refusal(bucket);
    }

    /** The service will not begin with a backup any more, and none of its own is remembered as dropped. */
    public void forget(UUID target) throws DatabaseFailure {
        droppedOfService.remove(target);
        try {
            files.forget(target);
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup's file cannot be removed.", failure);
        }
    }

    /** Begins a backup of all that SQL made in the service, unless it is made already or under way. */
    public void begin(UUID service, UUID backup) throws DatabaseFailure {
        if (!(observe(service, backup) instanceof Progress.Unknown)) {
            return;
        }
        requireBackups(running(service));
        Path written = written(service, backup);
        try {
            // Left by a database that was ended in the middle.
            Files.deleteIfExists(written);
            for (UUID gone : dropped(service)) {
                Files.deleteIfExists(written(service, gone));
            }
            Optional<PartList> parts = parts(service);
            if (parts.isPresent()) {
                files.noteBefore(service, backup, parts.get());
            }
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup's file cannot be made.", failure);
        }
        ask(
                service,
                "BACKUP " + whole(databases.bundled()) + " TO File('" + written.getFileName() + "') SETTINGS id = '"
                        + backup + "' ASYNC");
    }

    /** The parts of its tables; a database that does not tell is backed up all the same. */
    private Optional<PartList> parts(UUID service) throws DatabaseFailure {
        return databases.ask(service, PartList.IN_USE, MAX_ANSWER) instanceof Answer.Text(String lines)
                ? Optional.of(PartList.parse(lines))
                : Optional.empty();
    }

    /** What there is to back up: the bundled ClickHouse has nothing of what SQL makes beside databases. */
    static String whole(boolean bundled) {
        return (bundled ? "" : MADE_BY_SQL + ", ") + "ALL EXCEPT " + NOT_THE_USERS;
    }

    public Progress observe(UUID service, UUID backup) throws DatabaseFailure {
        if (dropped(service).contains(backup)) {
            return new Progress.Unknown();
        }
        try {
            Progress here = files.here(service, backup);
            if (!(here instanceof Progress.Unknown)) {
                return here;
            }
            Progress seen = statusOf(service, backup.toString());
            Path written = written(service, backup);
            if (seen instanceof Progress.Finished && Files.exists(written, LinkOption.NOFOLLOW_LINKS)) {
                files.keep(service, backup, written, parts(service));
                return files.here(service, backup);
            }
            // Of one that was made and moved away, the database goes on to say so for as long as it runs.
            return seen instanceof Progress.Finished || seen instanceof Progress.Unknown
                    ? files.there(service, backup)
                    : seen;
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup's file cannot be kept.", failure);
        }
    }

    /** Removes a backup; does nothing if it does not exist. */
    public void erase(UUID service, UUID backup) throws DatabaseFailure {
        try {
            if (!files.remove(service, backup) && databases.folder(service).exists()) {
                // The database may still be writing it; the result is then discarded.
                droppedOfService
                        .computeIfAbsent(service, _ -> ConcurrentHashMap.newKeySet())
                        .add(backup);
                stop(service, backup);
            }
            Files.deleteIfExists(written(service, backup));
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup's file cannot be removed.", failure);
        }
    }

    private Set<UUID> dropped(UUID service) {
        return droppedOfService.getOrDefault(service, Set.of());
    }

    /** Ends the work on a backup that nobody wants; a database too old for that writes on in vain. */
    private void stop(UUID service, UUID backup) throws DatabaseFailure {
        if (databases.address(service).isPresent()) {
            databases.ask(
                    service,
                    "KILL QUERY WHERE query_id IN (SELECT query_id FROM system.backups WHERE id = '" + backup
                            + "' AND status = 'CREATING_BACKUP') ASYNC",
                    MAX_ANSWER);
        }
    }

    /**
     * Begins to restore a backup into a service that runs and holds nothing yet. A database that was ended in the
     * middle holds half of it: its data is then dropped, and it must be started again before this is repeated.
     */
    public void restore(UUID target, UUID source, UUID backup) throws DatabaseFailure, InterruptedException {
        RestoreMark mark = new RestoreMark(databases.folder(target), backup);
        switch (observeRestore(target, backup)) {
            case Progress.UnderWay underWay -> {}
            case Progress.Finished finished -> {}
            case Progress.Failed failed -> {}
            case Progress.Unknown unknown
            when mark.begun() -> {
                databases.end(
                        target, _ -> Folders.delete(databases.folder(target).data()));
                mark.clear();
            }
            case Progress.Unknown unknown -> {
                Optional<Path> file = files.toRestore(target, source, backup);
                if (file.isPresent()) {
                    beginRestore(target, file.get(), backup, mark);
                }
            }
        }
    }

    private void beginRestore(UUID target, Path kept, UUID backup, RestoreMark mark) throws DatabaseFailure {
        requireBackups(running(target));
        Path given = databases.folder(target).exchange().resolve(restoreId(backup) + ".tar.gz");
        try {
            Files.copy(kept, given, StandardCopyOption.REPLACE_EXISTING);
            databases.userOf(target).own(given);
            files.forget(target);
            mark.begin();
        } catch (IOException failure) {
            throw new DatabaseFailure("The backup cannot be given to the database.", failure);
        }
        ask(
                target,
                "RESTORE ALL FROM File('" + given.getFileName() + "') SETTINGS id = '" + restoreId(backup)
                        + "', allow_different_database_def = 1 ASYNC");
    }

    /** Whether the backup was restored, from what the service's folder says; never asks the database. */
    boolean restored(UUID target, UUID backup) {
        return new RestoreMark(databases.folder(target), backup).done();
    }

    /** Whether a service holds the data that it begins with; from memory and its folder. */
    boolean complete(Service service) {
        BackupOrigin origin = service.fixed().origin();
        return origin == null || restored(service.id(), origin.backupId());
    }

    public Progress observeRestore(UUID target, UUID backup) throws DatabaseFailure {
        RestoreMark mark = new RestoreMark(databases.folder(target), backup);
        if (mark.done()) {
            return new Progress.Finished(NO_FILE);
        }
        if (!mark.begun()) {
            return files.coming(target);
        }
        Progress seen = statusOf(target, restoreId(backup));
        if (seen instanceof Progress.Finished) {
            try {
                mark.end();
                Files.deleteIfExists(databases.folder(target).exchange().resolve(restoreId(backup) + ".tar.gz"));
            } catch (IOException failure) {
                throw new DatabaseFailure("It cannot be noted that the backup is restored.", failure);
            }
        }
        return seen;
    }

    private Progress statusOf(UUID service, String id) throws DatabaseFailure {
        Optional<DatabaseAddress> running = running(service);
        if (running.isEmpty() || !running.get().capabilities().backup()) {
            // A restore ends with the process that ran it.
            return new Progress.Unknown();
        }
        String answer = ask(
                service,
                "SELECT status, replaceRegexpAll(error, '\\\\s+', ' ') FROM system.backups WHERE id = '" + id
                        + "' FORMAT TSVRaw");
        int tab = answer.indexOf('\t');
        String status = tab < 0 ? answer : answer.substring(0, tab);
        return switch (status) {
            case "CREATING_BACKUP", "RESTORING" -> new Progress.UnderWay();
            case "BACKUP_CREATED", "RESTORED" -> new Progress.Finished(NO_FILE);
            case "" -> new Progress.Unknown();
            default -> new Progress.Failed(reason(tab < 0 ? "" : answer.substring(tab + 1), status));
        };
    }

    private static String reason(String error, String status) {
        String withoutCode = error.replaceFirst("^Code: \\d+\\. ", "");
        return withoutCode.isBlank() ? "The database says " + status + "." : LastWords.sentenceOf(withoutCode);
    }

    /** Usually known from memory; read from disk the first time after a restart of the control plane. */
    private Optional<DatabaseAddress> running(UUID service) throws DatabaseFailure {
        Optional<DatabaseAddress> known = databases.address(service);
        return known.isPresent()
                        || !(databases.observe(service)
                                instanceof DatabaseSeen.Running(DatabaseAddress found, String _))
                ? known
                : Optional.of(found);
    }

    private static void requireBackups(Optional<DatabaseAddress> running) throws DatabaseFailure {
        DatabaseAddress address = running.orElseThrow(
                () -> new DatabaseFailure("The service does not run, so nothing can be backed up or restored."));
        if (!address.capabilities().backup()) {
            throw new DatabaseFailure(cannot(address));
        }
    }

    private String ask(UUID service, String sql) throws DatabaseFailure {
        return switch (databases.ask(service, sql, MAX_ANSWER)) {
            case Answer.Text(String value) -> value;
            case Answer.Refusal(int code, String sentence) ->
                throw new DatabaseFailure("The database refused it: " + sentence);
            case Answer.Silence(String reason) ->
                throw new DatabaseFailure("The database cannot be asked: " + reason + ".");
        };
    }

    private Path written(UUID service, UUID backup) {
        return databases.folder(service).exchange().resolve(backup + ".tar.gz");
    }

    private static String restoreId(UUID backup) {
        return "restore-" + backup;
    }
}
