package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Recent rows of a process beside which another one writes; by turns the rows are changed by either. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresRecentRowsIT extends RecentRowsContract {
    private static final int CONNECTIONS = 10;

    private final Postgres postgres;

    @TempDir
    private Path folder;

    private PostgresStore store;
    private PostgresStore other;
    private Store writer;
    private int opened;

    PostgresRecentRowsIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void open() throws SQLException {
        String url = postgres.emptySchema();
        store = open(url);
        other = open(url);
        writer = new StoresInTurns(List.of(store, other));
    }

    private PostgresStore open(String url) {
        opened++;
        PostgresStore made = PostgresStore.openShared(
                folder.resolve("" + opened), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
        made.started();
        return made;
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    @Override
    Store store() {
        return store;
    }

    @Override
    Store writer() {
        return writer;
    }

    @Override
    int connections() {
        return CONNECTIONS;
    }

    @Test
    void whatAWriteReadsOfOthersIsWhatTheyWroteLast() {
        Organization row = Samples.insert(store, Samples.named("a"));
        find(store, row);
        other.write(tables -> tables.of(Organization.KIND).overwrite(Samples.named(row, "b")));
        assertThat(store.<String>write(tables -> tables.of(Organization.KIND)
                        .find(row.id())
                        .orElseThrow()
                        .name()))
                .isEqualTo("b");
    }

    @Test
    void whatAWriteReadsOfItselfIsWhatItWroteBefore() {
        Organization row = Samples.insert(store, Samples.named("a"));
        find(store, row);
        assertThat(store.<String>write(tables -> {
                    tables.of(Organization.KIND).overwrite(Samples.named(row, "b"));
                    return tables.of(Organization.KIND)
                            .find(row.id())
                            .orElseThrow()
                            .name();
                }))
                .isEqualTo("b");
        assertThat(find(other, row).name()).isEqualTo("b");
    }

    @Test
    void onlyAWriteOfAnotherProcessForgetsRowsThatDidNotChange() {
        Organization kept = Samples.insert(store, Samples.row());
        Organization first = find(store, kept);
        Samples.insert(store, Samples.row());
        assertThat(find(store, kept)).isSameAs(first);
        Samples.insert(other, Samples.row());
        assertThat(find(store, kept)).isNotSameAs(first).isEqualTo(first);
    }

    private static Organization find(Store store, Organization row) {
        return store.read(tables -> tables.of(Organization.KIND).find(row.id())).orElseThrow();
    }
}
