package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.store.Migrations.Step;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a store comes to its form, and which stores are refused. */
class MigrationsTest {
    private static final Step ONE = new Step(1, "V001__one.sql", "-- first\nCREATE TABLE one (a TEXT);\n\n");
    private static final Step TWO =
            new Step(2, "V002__two.sql", "CREATE TABLE two (\n  a TEXT\n);\nINSERT INTO two (a) VALUES ('x;y');");
    private static final Step BAD = new Step(2, "V002__bad.sql", "CREATE TABLE bad (a TEXT);\nNO SUCH STATEMENT;\n");

    @TempDir
    private Path folder;

    private Sql sql;

    @BeforeEach
    void open() throws SQLException {
        sql = new SqliteFile(folder.resolve("some.db")).openForWriting();
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
    }

    private void apply(Step... steps) throws SQLException {
        sql.change("BEGIN IMMEDIATE");
        try {
            new Migrations(List.of(steps)).apply(sql);
            sql.change("COMMIT");
        } catch (SQLException | RuntimeException e) {
            sql.change("ROLLBACK");
            throw e;
        }
    }

    private List<Step> missing(Step... steps) throws SQLException {
        return new Migrations(List.of(steps)).missing(sql, new SqliteDialect());
    }

    private List<String> applied() throws SQLException {
        return sql.list("SELECT name FROM migrations ORDER BY version", row -> row.getString(1));
    }

    @Test
    void freshStoreLacksEverything() throws SQLException {
        assertThat(missing(ONE, TWO)).containsExactly(ONE, TWO);
    }

    @Test
    void stepsAreAppliedOnceAndInOrder() throws SQLException {
        apply(ONE);
        assertThat(missing(ONE, TWO)).containsExactly(TWO);
        apply(ONE, TWO);
        assertThat(missing(ONE, TWO)).isEmpty();
        apply(ONE, TWO);
        assertThat(applied()).containsExactly("V001__one.sql", "V002__two.sql");
        assertThat(sql.list("SELECT a FROM two", row -> row.getString(1))).containsExactly("x;y");
    }

    @Test
    void stepThatFailsLeavesTheStoreAsItWas() throws SQLException {
        apply(ONE);
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> apply(ONE, BAD));
        assertThat(applied()).containsExactly("V001__one.sql");
        assertThat(missing(ONE, TWO)).containsExactly(TWO);
        apply(ONE, TWO);
    }

    @Test
    void newerStoreIsRefused() throws SQLException {
        apply(ONE, TWO);
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> missing(ONE))
                .withMessageStartingWith("The store was written by a newer Pilothouse")
                .withMessageContaining("its form is 2, this program knows 1");
    }

    @Test
    void stepThatWasEditedIsRefused() throws SQLException {
        apply(ONE);
        Step edited = new Step(1, ONE.name(), ONE.text() + " ");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> missing(edited))
                .withMessageContaining("another V001__one.sql");
    }

    @Test
    void stepThatWasLeftOutIsRefused() throws SQLException {
        apply(ONE, TWO);
        sql.change("DELETE FROM migrations WHERE version = 1");
        assertThatExceptionOfType(StoreRefused.class).isThrownBy(() -> missing(ONE, TWO));
    }

    @Test
    void questionThatFailsForAnotherReasonIsNotTakenForAFreshStore() throws SQLException {
        sql.once("CREATE TABLE migrations (version INTEGER)");
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> missing(ONE));
    }

    @Test
    void everyFileIsListedOnceInOrder() throws IOException, URISyntaxException {
        URL files = Objects.requireNonNull(Migrations.class.getResource("migrations"));
        try (Stream<Path> listed = Files.list(Path.of(files.toURI()))) {
            assertThat(listed.map(file -> file.getFileName().toString()).sorted())
                    .isEqualTo(Migrations.FILES);
        }
        for (int i = 0; i < Migrations.FILES.size(); i++) {
            assertThat(Migrations.FILES.get(i)).matches(String.format(Locale.ROOT, "V%03d__[a-z_]+\\.sql", i + 1));
        }
    }

    @Test
    void storeOfANewerProgramIsRefusedAndLeftAlone() throws SQLException {
        SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE).close();
        inTheStore("INSERT INTO migrations (version, name, checksum) VALUES (999, 'V999__later.sql', '')");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE))
                .withMessageContaining("its form is 999");
        inTheStore("DELETE FROM migrations WHERE version = 999");
        SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE).close();
    }

    private void inTheStore(String statement) throws SQLException {
        try (Sql store = new SqliteFile(folder.resolve("pilothouse.db")).openForWriting()) {
            store.once(statement);
        }
    }
}
