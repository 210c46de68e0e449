package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.BackupPlaces;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups made and restored by the real bundled ClickHouse. */
class DatabaseBackupsIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID source = UUID.randomUUID();
    private final UUID target = UUID.randomUUID();
    private final UUID backup = UUID.randomUUID();
    private final Made made = new Made();
    private LocalDatabases databases;
    private DatabaseBackups backups;
    private DatabaseAddress sourceAddress;

    /** What the store knows of the backup. */
    private static final class Made implements BackupPlaces {
        private @Nullable String sha256;

        @Override
        public Optional<BucketAccess> of(UUID backupId) {
            return Optional.empty();
        }

        @Override
        public Optional<String> sha256(UUID backupId) {
            return Optional.ofNullable(sha256);
        }
    }

    @BeforeEach
    void fillSource() throws IOException, DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
        backups = new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups")));
        sourceAddress = started(databases, source, settings(PASSWORD));
        value(sourceAddress, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(sourceAddress, PASSWORD, "INSERT INTO t SELECT number FROM numbers(10000)");
        value(sourceAddress, PASSWORD, "CREATE DATABASE shop");
        value(sourceAddress, PASSWORD, "CREATE TABLE shop.orders (id UInt32) ENGINE = MergeTree ORDER BY id");
        value(sourceAddress, PASSWORD, "INSERT INTO shop.orders VALUES (1), (2)");
        value(sourceAddress, PASSWORD, "CREATE VIEW shop.many AS SELECT count() AS n FROM shop.orders");
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        databases.close();
    }

    @Test
    void usersAndFunctionsThatSqlMadeAreInTheBackupsOfAServer() {
        assertThat(DatabaseBackups.whole(false))
                .startsWith("TABLE system.users, ")
                .contains(", ALL EXCEPT DATABASES ");
        assertThat(DatabaseBackups.whole(true)).startsWith("ALL EXCEPT DATABASES ");
    }

    @Test
    void backupIsRestoredIntoANewService() throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();
        value(sourceAddress, PASSWORD, "TRUNCATE TABLE t");
        DatabaseAddress address = started(databases, target, settings("another one"));

        backups.restore(target, source, backup);
        assertThat(settled(() -> backups.observeRestore(target, backup))).isInstanceOf(Progress.Finished.class);
        backups.restore(target, source, backup);

        assertThat(value(address, "another one", "SELECT count(), sum(x) FROM t"))
                .isEqualTo("10000\t49995000");
        assertThat(value(address, "another one", "SELECT n FROM shop.many")).isEqualTo("2");
        assertThat(value(address, "another one", "SELECT count() FROM system.tables WHERE database = 'default'"))
                .isEqualTo("1");
    }

    @Test
    void backupOutlivesItsServiceAndIsErasedByItself() throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();

        databases.erase(source);

        assertThat(backups.observe(source, backup)).isInstanceOf(Progress.Finished.class);
        backups.erase(source, backup);
        backups.erase(source, backup);
        assertThat(backups.observe(source, backup)).isEqualTo(new Progress.Unknown());
    }

    /** It takes seconds to pack this much that cannot be packed. */
    @Test
    void backupThatNobodyWantsAnyMoreIsEndedInTheDatabase() throws IOException, DatabaseFailure, InterruptedException {
        value(sourceAddress, PASSWORD, "CREATE TABLE r (s String) ENGINE = MergeTree ORDER BY tuple()");
        value(sourceAddress, PASSWORD, "INSERT INTO r SELECT randomString(1000) FROM numbers(150000)");
        backups.begin(source, backup);
        assertThat(backups.observe(source, backup)).isInstanceOf(Progress.UnderWay.class);

        backups.erase(source, backup);

        String status = "SELECT status FROM system.backups WHERE id = '" + backup + "'";
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (value(sourceAddress, PASSWORD, status).equals("CREATING_BACKUP")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(value(sourceAddress, PASSWORD, status)).isEqualTo("BACKUP_CANCELLED");
        assertThat(backups.observe(source, backup)).isEqualTo(new Progress.Unknown());
    }

    @Test
    void beginningABackupAgainMakesNoSecondOne() throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();
        Progress first = backups.observe(source, backup);

        backups.begin(source, backup);

        assertThat(settled(() -> backups.observe(source, backup))).isEqualTo(first);
        try (Stream<Path> exchange = Files.list(databases.folder(source).exchange())) {
            assertThat(exchange).isEmpty();
        }
    }

    @Test
    void damagedBackupFailsWithItsReasonAndTheNewServiceLivesOn()
            throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();
        Path kept = folder.resolve("backups").resolve(source.toString()).resolve(backup + ".tar.gz");
        byte[] bytes = Files.readAllBytes(kept);
        for (int i = bytes.length / 3; i < bytes.length / 3 + 200 && i < bytes.length; i++) {
            bytes[i] ^= 0x5a;
        }
        Files.write(kept, bytes);
        DatabaseAddress address = started(databases, target, settings(PASSWORD));

        backups.restore(target, source, backup);

        Progress end = settled(() -> backups.observeRestore(target, backup));
        assertThat(end).isInstanceOf(Progress.Failed.class);
        assertThat(((Progress.Failed) end).reason()).isNotBlank().endsWith(".");
        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        assertThat(value(sourceAddress, PASSWORD, "SELECT count() FROM t")).isEqualTo("10000");
    }

    @Test
    void flippedBitIsRefusedBeforeTheDatabaseSeesIt() throws IOException, DatabaseFailure, InterruptedException {
        backups = new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups"), made, Optional.empty()));
        makeBackup();
        Path kept = folder.resolve("backups").resolve(source.toString()).resolve(backup + ".tar.gz");
        byte[] bytes = Files.readAllBytes(kept);
        bytes[bytes.length / 2] ^= 1;
        Files.write(kept, bytes);
        DatabaseAddress address = started(databases, target, settings(PASSWORD));

        Progress end = restored();

        assertThat(end).isInstanceOf(Progress.Failed.class);
        assertThat(((Progress.Failed) end).reason()).contains("SHA-256");
        assertThat(value(address, PASSWORD, "SELECT count() FROM system.tables WHERE database = 'default'"))
                .isEqualTo("0");

        bytes[bytes.length / 2] ^= 1;
        Files.write(kept, bytes);
        backups.forget(target);
        assertThat(restored()).isInstanceOf(Progress.Finished.class);
        assertThat(value(address, PASSWORD, "SELECT count() FROM t")).isEqualTo("10000");
    }

    /** Asked again until it has come to an end, as the engine does. */
    private Progress restored() throws DatabaseFailure, InterruptedException {
        Progress seen = new Progress.Unknown();
        for (int tries = 0; tries < 10 && seen instanceof Progress.Unknown; tries++) {
            backups.restore(target, source, backup);
            seen = settled(() -> backups.observeRestore(target, backup));
        }
        return seen;
    }

    @Test
    void halfRestoredServiceIsRestoredFromTheStart() throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();
        started(databases, target, settings(PASSWORD));
        backups.restore(target, source, backup);
        // Killed somewhere in the middle, or after the end and before anybody saw it.
        databases.stop(target);
        assertThat(backups.observeRestore(target, backup)).isEqualTo(new Progress.Unknown());

        started(databases, target, settings(PASSWORD));
        backups.restore(target, source, backup);
        DatabaseAddress address = started(databases, target, settings(PASSWORD));
        backups.restore(target, source, backup);

        assertThat(settled(() -> backups.observeRestore(target, backup))).isInstanceOf(Progress.Finished.class);
        assertThat(value(address, PASSWORD, "SELECT count() FROM t")).isEqualTo("10000");
    }

    @Test
    void servicesCannotReachEachOthersBackups() throws IOException, DatabaseFailure, InterruptedException {
        makeBackup();
        DatabaseAddress address = started(databases, target, settings(PASSWORD));
        Path kept = folder.resolve("backups").resolve(source.toString()).resolve(backup + ".tar.gz");

        for (String sql : new String[] {
            "RESTORE ALL FROM File('" + kept + "')",
            "RESTORE ALL FROM File('../../../backups/" + source + "/" + backup + ".tar.gz')",
            "BACKUP DATABASE default TO File('" + kept + "')",
        }) {
            assertThat(query(address, PASSWORD, sql).statusCode()).as(sql).isNotEqualTo(200);
        }
    }

    @Test
    void failuresAreReportedInASentence() throws IOException, DatabaseFailure, InterruptedException {
        UUID unknown = UUID.randomUUID();

        assertThatThrownBy(() -> backups.restore(source, source, unknown))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("is not there any more");
        databases.stop(source);
        assertThatThrownBy(() -> backups.begin(source, unknown))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("does not run");
    }

    private void makeBackup() throws DatabaseFailure, InterruptedException {
        backups.begin(source, backup);
        Progress end = settled(() -> backups.observe(source, backup));
        assertThat(end).isInstanceOf(Progress.Finished.class);
        Archive archive = ((Progress.Finished) end).archive();
        assertThat(archive.bytes()).isPositive();
        assertThat(archive.sha256()).matches("[0-9a-f]{64}");
        made.sha256 = archive.sha256();
    }

    private interface Look {
        Progress at() throws DatabaseFailure;
    }

    private static Progress settled(Look look) throws DatabaseFailure, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        Progress seen = look.at();
        while (seen instanceof Progress.UnderWay && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
            seen = look.at();
        }
        return seen;
    }
}
