package io.pilothouse.plane.local;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.Proving;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.plane.local.DatabaseClient.Answer;
import io.pilothouse.plane.local.proof.PartList;
import io.pilothouse.plane.local.proof.ProofDesk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Proves that backups can be restored, one at a time: each goes into a database of its own that no client reaches, that
 * reaches nothing itself, and that is removed afterwards. It gives way to any service that waits for room.
 */
public final class BackupProofs implements AutoCloseable {
    private static final Logger LOG = System.getLogger(BackupProofs.class.getName());
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration MAX_ANSWER = Duration.ofHours(6);
    private static final long MEMORY_BYTES = 2L << 30;
    /** What may go wrong with a restore without a fault of the backup's. */
    private static final Pattern OF_THE_MACHINE =
            Pattern.compile("no(t enough)?.space|memory.limit", Pattern.CASE_INSENSITIVE);

    private static final String TABLES = "SELECT database, name FROM system.tables WHERE engine LIKE '%MergeTree'"
            + " AND database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') FORMAT TSV";

    private final Duration every;
    private final LocalDatabases services;
    private final LocalDatabases apart;
    private final DatabaseBackups restores;
    private final BackupFiles files;
    private final ExecutorService threads;
    private final ProofDesk desk = new ProofDesk(System::nanoTime);
    private volatile boolean closing;

    private BackupProofs(
            Duration every, LocalDatabases services, LocalDatabases apart, BackupFiles files, ExecutorService threads) {
        this.every = every;
        this.services = services;
        this.apart = apart;
        this.restores = new DatabaseBackups(apart, files);
        this.files = files;
        this.threads = threads;
    }

    /** Removes what an earlier program left in the folder; empty where nothing can safely be proven. */
    public static Optional<BackupProofs> open(
            DatabaseSetup setup, Path folder, int days, LocalDatabases services, BackupFiles files)
            throws DatabaseFailure, InterruptedException {
        if (!services.bundled() || !setup.isFenced()) {
            return Optional.empty();
        }
        LocalDatabases apart = new LocalDatabases(setup.apart(folder));
        apart.sweep(Set.of());
        for (UUID left : apart.present()) {
            apart.erase(left);
        }
        return Optional.of(new BackupProofs(Duration.ofDays(days), services, apart, files, setup.threads()));
    }

    Duration every() {
        return every;
    }

    Proving of(UUID backup) {
        return desk.of(backup);
    }

    void forget(UUID backup) {
        desk.forget(backup);
    }

    /** Begins the proof of a backup, unless that of another one is under way. */
    void begin(UUID service, UUID backup) {
        if (desk.take(backup)) {
            threads.execute(() -> prove(service, backup));
        }
    }

    private void prove(UUID service, UUID backup) {
        UUID id = UUID.randomUUID();
        Optional<Proving.Ended> how;
        try {
            how = services.turns().ask(id).isPresent() ? Optional.empty() : within(id, service, backup);
        } catch (DatabaseFailure failure) {
            how = Optional.of(Proving.Ended.untried(String.valueOf(failure.getMessage())));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            how = Optional.empty();
        } catch (IOException | RuntimeException failure) {
            LOG.log(Level.ERROR, "The proof of backup " + backup + " failed", failure);
            how = Optional.of(Proving.Ended.untried("It failed unexpectedly; the log has the details."));
        }
        remove(id);
        services.turns().leave(id);
        how.ifPresentOrElse(end -> desk.end(backup, end), desk::giveWay);
    }

    private void remove(UUID id) {
        try {
            restores.forget(id);
            apart.erase(id);
        } catch (DatabaseFailure failure) {
            LOG.log(Level.WARNING, "The next start removes what is left of a proof", failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** How it ended; empty if it gave way. */
    private Optional<Proving.Ended> within(UUID id, UUID service, UUID backup)
            throws DatabaseFailure, InterruptedException, IOException {
        if (files.isLost(service, backup)) {
            return Optional.of(Proving.Ended.damaged("Its file is not there any more."));
        }
        apart.start(id, settings());
        if (apart.awaitAnswer(id, Duration.ofMinutes(1)).isEmpty()) {
            return Optional.of(Proving.Ended.untried("The database that it is restored into did not start."));
        }
        services.turns().answers(id);
        Progress seen = new Progress.Unknown();
        while (seen instanceof Progress.Unknown || seen instanceof Progress.UnderWay) {
            if (givesWay()) {
                return Optional.empty();
            }
            if (!(apart.observe(id) instanceof DatabaseSeen.Running)) {
                return Optional.of(Proving.Ended.untried("The database that it is restored into ended."));
            }
            restores.restore(id, service, backup);
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
            seen = restores.observeRestore(id, backup);
        }
        if (seen instanceof Progress.Failed(String reason)) {
            return Optional.of(bad("It cannot be restored: " + reason));
        }
        return compare(id, files.parts(service, backup).orElse(new PartList(Set.of())));
    }

    private Optional<Proving.Ended> compare(UUID id, PartList had) throws DatabaseFailure, InterruptedException {
        Set<String> back = new HashSet<>();
        for (String question : had.questions()) {
            back.addAll(
                    PartList.parse(text(apart.ask(id, question, MAX_ANSWER))).parts());
        }
        Optional<String> missing = had.missingIn(new PartList(back));
        if (missing.isPresent()) {
            return missing.map(Proving.Ended::damaged);
        }
        for (String table : text(apart.ask(id, TABLES, MAX_ANSWER)).lines().toList()) {
            String[] names = table.replace("`", "\\`").split("\t", -1);
            Optional<Answer> answer = asked(
                    id,
                    "CHECK TABLE `" + names[0] + "`.`" + names[1] + "` SETTINGS check_query_single_value_result = 1");
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            if (answer.get() instanceof Answer.Refusal(int _, String sentence)) {
                return Optional.of(bad("The table " + names[0] + "." + names[1] + " cannot be read: " + sentence));
            }
            if (!text(answer.get()).equals("1")) {
                return Optional.of(
                        Proving.Ended.damaged("The table " + names[0] + "." + names[1] + " has damaged parts."));
            }
        }
        return Optional.of(Proving.Ended.restorable(had.parts().size(), had.rows()));
    }

    /** The answer of a question that may take hours; empty if it gives way meanwhile. */
    private Optional<Answer> asked(UUID id, String sql) throws DatabaseFailure, InterruptedException {
        Future<Answer> answer = threads.submit(() -> apart.ask(id, sql, MAX_ANSWER));
        try {
            while (!answer.isDone()) {
                if (givesWay()) {
                    return Optional.empty();
                }
                TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
            }
            return Optional.of(answer.get());
        } catch (ExecutionException failure) {
            throw new DatabaseFailure("The database that it is restored into cannot be asked.", failure);
        }
    }

    private static String text(Answer answer) throws DatabaseFailure {
        return switch (answer) {
            case Answer.Text(String value) -> value;
            case Answer.Refusal(int _, String sentence) ->
                throw new DatabaseFailure("The database that it is restored into refuses: " + sentence);
            case Answer.Silence(String reason) ->
                throw new DatabaseFailure("The database that it is restored into cannot be asked: " + reason + ".");
        };
    }

    private static Proving.Ended bad(String problem) {
        return OF_THE_MACHINE.matcher(problem).find() ? Proving.Ended.untried(problem) : Proving.Ended.damaged(problem);
    }

    private boolean givesWay() {
        return closing || services.turns().anyWaits();
    }

    /** Nobody knows the password. */
    private static DatabaseSettings settings() {
        String none = Secrets.newPassword();
        return new DatabaseSettings(new PasswordHashes(none, none.substring(0, 40)), MEMORY_BYTES, List.of());
    }

    /** Ends the proof that is under way. */
    @Override
    public void close() throws DatabaseFailure {
        closing = true;
        apart.close();
    }
}
