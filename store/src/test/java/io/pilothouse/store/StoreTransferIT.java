package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A store that moves from its folder into PostgreSQL, and back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreTransferIT {
    /** More than two pages. */
    private static final int ROWS = 1_203;

    private static final long FREED_AT = 1L << 60;

    private final Postgres postgres;
    private final List<String> progress = new ArrayList<>();

    @TempDir
    private Path folder;

    StoreTransferIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    private Store file(String name) {
        return SqliteStore.open(
                folder.resolve(name), Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE);
    }

    private StoreTransfer.Moved in(String name, String url) {
        return StoreTransfer.intoPostgres(
                folder.resolve(name), url, "postgres", "", (rows, all) -> progress.add(rows + " of " + all));
    }

    private StoreTransfer.Moved out(String name, String url) {
        return StoreTransfer.outOfPostgres(
                folder.resolve(name), url, "postgres", "", (rows, all) -> progress.add(rows + " of " + all));
    }

    private List<Organization> filled(String name) {
        List<Organization> rows = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            rows.add(Samples.named("Zürich \"" + row + "\" ☃"));
        }
        try (Store store = file(name)) {
            return store.write(tables -> {
                rows.forEach(
                        row -> tables.tasks().wake(Tasks.Kind.ALERT, row.id(), Tasks.Urgency.ROUTINE, Instant.EPOCH));
                tables.keepVaultCheck("of the vault");
                tables.keepSecretCheck("of the secrets");
                Transaction transaction = (Transaction) tables;
                transaction.writeTrivially();
                transaction.change("INSERT INTO service_ports VALUES (?, ?, ?)", 20_000, null, FREED_AT);
                return rows.stream()
                        .map(row -> tables.of(Organization.KIND).insert(row))
                        .toList();
            });
        }
    }

    @Test
    void everyRowArrivesThereAndBack() throws SQLException {
        List<Organization> rows = filled("one");
        String url = postgres.emptySchema();
        long moved = 2L * ROWS + 3;
        assertThat(in("one", url).rows()).isEqualTo(moved);
        assertThat(progress)
                .hasSizeGreaterThan(4)
                .doesNotHaveDuplicates()
                .allMatch(line -> line.endsWith(" of " + moved))
                .last()
                .isEqualTo(moved + " of " + moved);
        try (Store store = PostgresStore.openAlone(
                folder.resolve("two"), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE)) {
            requireAll(store, rows);
        }
        assertThat(out("back", url).rows()).isEqualTo(moved);
        try (Store store = file("back")) {
            requireAll(store, rows);
        }
    }

    private static void requireAll(Store store, List<Organization> rows) {
        assertThat(store.<List<Organization>>read(tables -> rows.stream()
                        .map(row -> tables.of(Organization.KIND).find(row.id()).orElseThrow())
                        .toList()))
                .containsExactlyElementsOf(rows);
        assertThat(store.read(tables -> tables.tasks().backlog(Instant.EPOCH)).unsettled())
                .isEqualTo(ROWS);
        assertThat(store.<Optional<String>>read(Tables::findVaultCheck)).contains("of the vault");
        assertThat(store.<Optional<String>>read(Tables::findSecretCheck)).contains("of the secrets");
        assertThat(store.<Long>read(tables ->
                        ((Transaction) tables).number("SELECT freed_at FROM service_ports WHERE port = ?", 20_000)))
                .isEqualTo(FREED_AT);
    }

    @Test
    void backupOfAStoreAtWorkIsOfOneMoment() throws IOException, SQLException {
        List<Organization> rows = filled("source");
        String url = postgres.emptySchema();
        in("source", url);
        Path file = folder.resolve("store.backup");
        Path keys = folder.resolve("keys");
        try (Store store = PostgresStore.openAlone(keys, url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
                Sql ahead = PostgresOpening.connectToRead(url, "postgres", "")) {
            ahead.once("BEGIN");
            assertThat(count(ahead)).isEqualTo(ROWS);
            Samples.insert(store, Samples.named("made meanwhile"));
            assertThat(count(ahead)).isEqualTo(ROWS);
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> ahead.once("DELETE FROM organizations"))
                    .withMessageContaining("read-only");
            Files.writeString(keys.resolve("secret.key"), "a key");
            assertThat(StoreArchive.ofPostgres(keys, List.of("secret.key"), url, "postgres", "")
                            .write(file))
                    .isTrue();
        }
        new StoreArchive(folder.resolve("restored"), List.of("secret.key"), Set.of()).restore(file);
        try (Store store = file("restored")) {
            requireAll(store, rows);
            assertThat(store.<Long>read(tables -> ((Transaction) tables).number("SELECT COUNT(*) FROM organizations")))
                    .isEqualTo(ROWS + 1L);
        }
    }

    private static long count(Sql sql) throws SQLException {
        return sql.list("SELECT COUNT(*) FROM organizations", row -> row.getLong(1))
                .getFirst();
    }

    @Test
    void copyHasMoreTimeThanARequest() throws SQLException {
        try (Sql sql = PostgresOpening.connectToCopy(postgres.emptySchema(), "postgres", "")) {
            for (String limit : List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")) {
                assertThat(sql.list("SHOW " + limit, row -> row.getString(1)))
                        .as(limit)
                        .containsExactly("10min");
            }
            assertThat(sql.connection().getNetworkTimeout()).isEqualTo(600_000);
        }
    }

    @Test
    void nothingIsWrittenOverAStoreThatHoldsSomething() throws SQLException {
        filled("source");
        String url = postgres.emptySchema();
        Organization theirs = Samples.named("theirs");
        try (Store store = Postgres.open(url)) {
            Samples.insert(store, theirs);
        }
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> in("source", url))
                .withMessageContaining("holds something already");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> out("source", url))
                .withMessageContaining("holds something already");
        try (Store store = Postgres.open(url)) {
            assertThat(Samples.isThere(store, theirs)).isTrue();
            assertThat(store.<Long>read(tables -> ((Transaction) tables).number("SELECT COUNT(*) FROM organizations")))
                    .isEqualTo(1L);
        }
    }

    @Test
    void emptyOrMissingStoreIsNotCopied() throws SQLException {
        String url = postgres.emptySchema();
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> in("nowhere", url))
                .withMessageContaining("There is no store in");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> out("empty", url))
                .withMessageContaining("holds nothing");
    }

    @Test
    void storeThatAProgramWorksOnIsLeftAlone() throws SQLException {
        filled("busy");
        String url = postgres.emptySchema();
        try (Store store = file("busy")) {
            assertThat(store.reachable()).isTrue();
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> in("busy", url))
                    .withMessageContaining("in use by another process");
        }
    }

    @Test
    void rowThatArrivesChangedKeepsAllOfThemOut() throws SQLException {
        filled("changed");
        String url = postgres.emptySchema();
        Postgres.open(url).close();
        String schema = url.substring(url.lastIndexOf('=') + 1);
        postgres.execute("CREATE FUNCTION " + schema + ".spoil() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN NEW.version := NEW.version + 1; RETURN NEW; END $$");
        postgres.execute("CREATE TRIGGER spoil BEFORE INSERT ON " + schema
                + ".organizations FOR EACH ROW EXECUTE FUNCTION " + schema + ".spoil()");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> in("changed", url))
                .withMessageContaining("What arrived in organizations is not what was sent");
        try (Store store = Postgres.open(url)) {
            assertThat(store.<Long>read(tables -> ((Transaction) tables).number("SELECT COUNT(*) FROM organizations")))
                    .isZero();
        }
    }

    @Test
    void everyTableOfTheStoreIsTaken() throws SQLException {
        String url = postgres.emptySchema();
        try (Store store = Postgres.open(url)) {
            assertThat(store.<List<String>>read(tables -> ((Transaction) tables)
                            .list(
                                    "SELECT table_name FROM information_schema.tables"
                                            + " WHERE table_schema = current_schema() AND table_name <> 'migrations'",
                                    row -> row.getString(1))))
                    .containsExactlyInAnyOrderElementsOf(
                            Migrations.ofThisProgram().tables());
        }
    }
}
