package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.BackupPlaces;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.backup.Proving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that are restored by the real bundled ClickHouse to see whether they can be. */
class BackupProofsIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID service = UUID.randomUUID();
    private final UUID backup = UUID.randomUUID();
    private LocalDatabases databases;
    private DatabaseSetup setup;
    private BackupFiles files;
    private DatabaseBackups backups;
    private DatabaseAddress address;
    private Optional<String> sum = Optional.empty();

    @BeforeEach
    void backUp() throws IOException, DatabaseFailure, InterruptedException {
        setup = LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false);
        databases = new LocalDatabases(setup);
        files = LiveDatabase.files(
                folder.resolve("backups"),
                new BackupPlaces() {
                    @Override
                    public Optional<BucketAccess> of(UUID backupId) {
                        return Optional.empty();
                    }

                    @Override
                    public Optional<String> sha256(UUID backupId) {
                        return sum;
                    }
                },
                Optional.empty());
        backups = new DatabaseBackups(databases, files);
        address = started(databases, service, settings(PASSWORD));
        value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(address, PASSWORD, "INSERT INTO t SELECT number FROM numbers(10000)");
        value(address, PASSWORD, "CREATE DATABASE `a ``shop``'s`");
        value(address, PASSWORD, "CREATE TABLE `a ``shop``'s`.orders (id UInt32) ENGINE = MergeTree ORDER BY id");
        value(address, PASSWORD, "INSERT INTO `a ``shop``'s`.orders VALUES (1), (2)");
        backups.begin(service, backup);
        Progress end = backups.observe(service, backup);
        while (end instanceof Progress.UnderWay) {
            TimeUnit.MILLISECONDS.sleep(20);
            end = backups.observe(service, backup);
        }
        assertThat(end).isInstanceOf(Progress.Finished.class);
        Archive archive = ((Progress.Finished) end).archive();
        sum = Optional.ofNullable(archive.sha256());
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        databases.close();
    }

    private Path kept(String ending) {
        return folder.resolve("backups").resolve(service.toString()).resolve(backup + ending);
    }

    private Proving.Ended proven() throws IOException, DatabaseFailure, InterruptedException {
        try (BackupProofs proofs = open()) {
            assertThat(proofs.of(backup)).isEqualTo(new Proving.Idle());
            proofs.begin(service, backup);
            Proving seen = proofs.of(backup);
            while (seen instanceof Proving.UnderWay) {
                TimeUnit.MILLISECONDS.sleep(50);
                seen = proofs.of(backup);
            }
            assertThat(left()).isEmpty();
            assertThat(seen).isInstanceOf(Proving.Ended.class);
            return (Proving.Ended) seen;
        }
    }

    private BackupProofs open() throws DatabaseFailure, InterruptedException {
        return BackupProofs.open(setup, folder.resolve("proofs"), 7, databases, files)
                .orElseThrow();
    }

    private Stream<UUID> left() throws IOException {
        return LocalDatabases.found(folder.resolve("proofs")).stream();
    }

    @Test
    void backupThatBringsBackWhatTheServiceHadIsRestorable() throws IOException, DatabaseFailure, InterruptedException {
        value(address, PASSWORD, "TRUNCATE TABLE t");

        assertThat(proven()).isEqualTo(new Proving.Ended(Outcome.RESTORABLE, 2, 10_002, null));
        // The service itself was not touched.
        assertThat(value(address, PASSWORD, "SELECT count() FROM t")).isEqualTo("0");
    }

    @Test
    void partThatTheServiceHadAndThatDidNotComeBackIsNamed() throws IOException, DatabaseFailure, InterruptedException {
        Files.writeString(
                kept(".parts"),
                Files.readString(kept(".parts")) + "default\tt\tdeadbeefdeadbeefdeadbeefdeadbeef\t40\n");

        Proving.Ended end = proven();

        assertThat(end.outcome()).isEqualTo(Outcome.DAMAGED);
        assertThat(end.problem())
                .isEqualTo("What came back is not what the service had: parts are missing or differ in default.t"
                        + " (parts: 1, rows: 40).");
    }

    @Test
    void flippedBitAndLostFileAreDamage() throws IOException, DatabaseFailure, InterruptedException {
        byte[] bytes = Files.readAllBytes(kept(".tar.gz"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(kept(".tar.gz"), bytes);
        assertThat(proven())
                .isEqualTo(Proving.Ended.damaged("It cannot be restored: Its file is damaged: its SHA-256 is not what"
                        + " it was when it was made."));
        sum = Optional.empty();
        assertThat(proven().outcome()).isEqualTo(Outcome.DAMAGED);

        Files.delete(kept(".tar.gz"));
        assertThat(proven()).isEqualTo(Proving.Ended.damaged("Its file is not there any more."));
    }

    @Test
    void proofGivesWayToAServiceThatWaitsAndItsRestIsRemovedByTheNextStart()
            throws IOException, DatabaseFailure, InterruptedException {
        // As a killed program leaves it.
        Files.createDirectories(
                folder.resolve("proofs").resolve(UUID.randomUUID().toString()).resolve("data"));
        try (BackupProofs proofs = open()) {
            assertThat(left()).isEmpty();
            for (int i = 0; databases.turns().ask(UUID.randomUUID()).isEmpty(); i++) {
                assertThat(i).isLessThan(1_000);
            }
            proofs.begin(service, backup);
            while (proofs.of(backup) instanceof Proving.UnderWay) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(proofs.of(backup)).isEqualTo(new Proving.Busy());
        }
        assertThat(left()).isEmpty();
    }
}
