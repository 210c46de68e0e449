package io.pilothouse.server;

import static io.pilothouse.server.SourcePostgres.mapping;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that follow the changes of a real PostgreSQL into a real ClickHouse. */
class PipeChangesIT {
    private static final String CHANGES = "\"syncIntervalSeconds\": 1, \"deleteOnMerge\": true";

    @TempDir
    private Path folder;

    private SourcePostgres source;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeEach
    void start() throws IOException, InterruptedException, SQLException, StartRefused {
        source = new SourcePostgres();
        piped = new PipedProgram(new LocalProgram(), folder);
        program = piped.program();
    }

    @AfterEach
    void stop() throws IOException {
        piped.close();
        source.close();
    }

    private String inSource(String table, String columns) throws SQLException {
        return source.query("SELECT " + columns + " FROM " + table + " ORDER BY id");
    }

    private void awaitSame(String table, String columns)
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        piped.awaitAnswer("SELECT " + columns + " FROM " + table + " FINAL ORDER BY id", inSource(table, columns));
    }

    @Test
    void changesOfEveryKindArriveAfterTheSnapshot()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE notes (id bigint PRIMARY KEY, name text, document text, numbers int[])",
                "ALTER TABLE notes ALTER COLUMN document SET STORAGE EXTERNAL",
                "INSERT INTO notes SELECT n, 'row ' || n, repeat('long ' || n, 3000), ARRAY[n] FROM generate_series(1, 50) n",
                "CREATE TABLE log (id bigint PRIMARY KEY)",
                "INSERT INTO log SELECT generate_series(1, 10)");
        String pipe = piped.create(source.pipe(
                CHANGES,
                mapping("notes", "notes", "") + "," + mapping("log", "log", "\"tableEngine\": \"MergeTree\"")));
        piped.awaitState(pipe, "Running");
        String columns = "id, name, length(document)";
        awaitSame("notes", columns);
        source.execute(
                "INSERT INTO notes VALUES (100, E'tab\\t \\\\ line\\n', 'short', '{1,NULL,3}')",
                "UPDATE notes SET name = 'changed' WHERE id = 1",
                "UPDATE notes SET document = 'other' WHERE id = 2",
                "DELETE FROM notes WHERE id IN (3, 4)",
                "UPDATE notes SET id = 200 WHERE id = 5");
        awaitSame("notes", "id, length(name), length(document)");
        assertThat(piped.query("SELECT numbers, name || '.' FROM notes FINAL WHERE id = 100 FORMAT TSVRaw"))
                .isEqualTo("[1,0,3]\ttab\t \\ line\n.");
        assertThat(piped.query("SELECT count() FROM log")).isEqualTo("10");

        source.execute(
                "ALTER TABLE notes ADD COLUMN mood text", "INSERT INTO notes VALUES (300, 'new', 'd', '{}', 'fine')");
        piped.awaitAnswer("SELECT mood FROM notes FINAL WHERE id = 300", "fine");
        source.execute("TRUNCATE log", "INSERT INTO log VALUES (7)");
        piped.awaitAnswer("SELECT groupArray(id) FROM log", "[7]");

        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Paused");
        source.execute(
                "UPDATE notes SET name = 'while it was paused' WHERE id > 10",
                "DROP TABLE log",
                "CREATE TABLE later (id bigint PRIMARY KEY)",
                "INSERT INTO later SELECT generate_series(1, 3)");
        assertThat(source.query("SELECT count(*) FROM pg_replication_slots")).isEqualTo("1");
        try (Connection open = source.open()) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO later VALUES (99)");
            program.send(program.management(pipe)
                    .header("Content-Type", "application/json")
                    .method(
                            "PATCH",
                            HttpRequest.BodyPublishers.ofString(
                                    "{\"source\": {\"postgres\": {\"tableMappingsToRemove\": ["
                                            + mapping("log", "log", "")
                                            + "], \"tableMappingsToAdd\": [" + mapping("later", "later", "")
                                            + "]}}}")));
            // It began before the table was published, so that no slot would bring it: the snapshot has to wait for it.
            awaitSnapshot();
            open.commit();
        }
        piped.awaitState(pipe, "Running");
        awaitSame("later", "id");
        source.execute("DELETE FROM later WHERE id = 2");
        awaitSame("later", "id");
        awaitSame("notes", "id, name, length(document)");

        program.send(program.management(pipe).DELETE());
        program.await(pipe, body -> body.contains("\"status\":404"));
        source.awaitAnswer("SELECT count(*) FROM pg_replication_slots", "0");
        source.awaitAnswer("SELECT count(*) FROM pg_publication", "0");
    }

    @Test
    void pipeFollowsFromTheSlotAndThePublicationThatItsOwnerMade()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE notes (id bigint PRIMARY KEY, kind text)",
                "ALTER TABLE notes REPLICA IDENTITY FULL",
                "INSERT INTO notes VALUES (1, 'before')",
                "CREATE PUBLICATION mine FOR TABLE notes",
                "SELECT pg_create_logical_replication_slot('mine', 'pgoutput')",
                "INSERT INTO notes VALUES (2, 'a'), (3, 'a'), (4, 'a')");
        String pipe = piped.create(source.pipe(
                CHANGES + ", \"replicationMode\": \"cdc_only\", \"replicationSlotName\": \"mine\","
                        + " \"publicationName\": \"mine\"",
                mapping("notes", "notes", "\"useCustomSortingKey\": true, \"sortingKeys\": [\"kind\", \"id\"]")));
        piped.awaitAnswer("SELECT groupArray(id) FROM (SELECT id FROM notes FINAL ORDER BY id)", "[2,3,4]");
        source.execute("UPDATE notes SET kind = 'b' WHERE id = 3", "DELETE FROM notes WHERE id = 4");
        piped.awaitAnswer("SELECT id, kind FROM notes FINAL ORDER BY id", "2\ta\n3\tb");
        // What is in the table need not be kept by the source any more.
        source.awaitAnswer(
                "SELECT confirmed_flush_lsn > '" + source.query("SELECT restart_lsn FROM pg_replication_slots")
                        + "' FROM pg_replication_slots",
                "t");
        assertThat(program.get(program.running().urls().admin() + "/metrics").body())
                .containsPattern(
                        "ClickPipes_SourceReplicationLatency_MiB\\{[^}]*clickpipe_source=\"postgres\"[^}]*\\} \\d");
        assertThat(program.getAsFirstKey(piped.service() + "/prometheus").body())
                .containsPattern("FetchedEvents_PerTable\\{[^}]*destination_table=\"notes\",event_type=\"update\"} 1")
                .containsPattern("ClickPipes_Latency\\{[^}]*clickpipe_source=\"postgres\"[^}]*\\} [1-9]")
                .containsPattern("ClickPipes_CDC_MemoryLimit\\{[^}]*\\} [1-9]");

        program.send(program.management(pipe).DELETE());
        source.awaitAnswer("SELECT active FROM pg_replication_slots", "f");
        assertThat(source.query("SELECT pubname FROM pg_publication")).isEqualTo("mine");
    }

    @Test
    void resyncReadsEverythingAgainWhereTheSlotIsGone()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute("CREATE TABLE notes (id bigint PRIMARY KEY)", "INSERT INTO notes SELECT generate_series(1, 5)");
        String pipe = piped.create(source.pipe(CHANGES, mapping("notes", "notes", "")));
        awaitSame("notes", "id");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Paused");
        source.awaitAnswer("SELECT active FROM pg_replication_slots", "f");
        source.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots",
                "DELETE FROM notes WHERE id = 3",
                "INSERT INTO notes VALUES (6)");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("everything has to be read again (resync)");

        program.patch(pipe + "/state", "{\"command\":\"resync\"}");
        awaitSame("notes", "id");
        source.execute("DELETE FROM notes WHERE id = 4", "INSERT INTO notes VALUES (3)");
        awaitSame("notes", "id");
        program.patch(pipe + "/state", "{\"command\":\"resync\"}");
        // One slot for each time: that of the time before is not left behind.
        source.awaitAnswer("SELECT string_agg(right(slot_name, 1), '') FROM pg_replication_slots", "2");
        source.execute("DELETE FROM notes WHERE id = 5");
        awaitSame("notes", "id");
        assertThat(piped.query("SELECT count() FROM system.tables WHERE name LIKE '%_resync'"))
                .isEqualTo("0");
    }

    @Test
    void oneTableIsReadAgainWhileTheOthersAreFollowed()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE notes (id bigint PRIMARY KEY, name text)",
                "INSERT INTO notes SELECT n, 'row ' || n FROM generate_series(1, 50) n",
                "CREATE TABLE log (id bigint PRIMARY KEY)",
                "INSERT INTO log SELECT generate_series(1, 10)");
        String pipe =
                piped.create(source.pipe(CHANGES, mapping("notes", "notes", "") + "," + mapping("log", "log", "")));
        piped.awaitState(pipe, "Running");
        piped.query("TRUNCATE TABLE notes");
        piped.query("INSERT INTO log (id) VALUES (999)");
        String again = "{\"command\": \"resync\", \"targetTable\": \"notes\"}";
        try (Connection open = source.open()) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO notes VALUES (99, 'open')");
            program.patch(pipe + "/state", again);
            awaitSnapshot();
            source.execute(
                    "INSERT INTO log VALUES (11)",
                    "UPDATE notes SET name = 'meanwhile' WHERE id = 7",
                    "DELETE FROM notes WHERE id = 8");
            piped.awaitAnswer("SELECT count() FROM log WHERE id = 11", "1");
            program.await(pipe, body -> body.contains("The table notes is being read again."));
            open.commit();
        }
        awaitSame("notes", "id, name");
        program.await(pipe, body -> !body.contains("is being read again"));
        source.execute("DELETE FROM notes WHERE id = 9");
        awaitSame("notes", "id, name");

        try (Connection open = source.open()) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO log VALUES (12)");
            program.patch(pipe + "/state", again);
            awaitSnapshot();
            source.execute("TRUNCATE notes", "INSERT INTO notes VALUES (500, 'after it was emptied')");
            // No snapshot is needed any more: all that is there now comes as changes.
            piped.awaitAnswer("SELECT id FROM notes FINAL", "500");
            program.await(pipe, body -> !body.contains("is being read again"));
            open.commit();
        }
        piped.awaitAnswer("SELECT count() FROM log FINAL WHERE id IN (12, 999)", "2");
        awaitSame("notes", "id, name");
        assertThat(piped.query("SELECT count() FROM system.tables WHERE name LIKE '%_resync'"))
                .isEqualTo("0");
    }

    @Test
    void tableThatWasBegunIsReadToItsEndBeforeAnotherWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE users (id bigint PRIMARY KEY)",
                "INSERT INTO users SELECT generate_series(1, 10)",
                // One row fills a page, and ten pages are a range where nobody has counted the rows.
                "CREATE TABLE orders (id bigint PRIMARY KEY, name text)"
                        + " WITH (fillfactor = 10, autovacuum_enabled = false)",
                "INSERT INTO orders SELECT n, repeat('x', 900) FROM generate_series(1, 2000) n");
        String pipe = piped.create(source.pipe(
                CHANGES + ", \"snapshotNumRowsPerPartition\": 1000, \"initialLoadParallelism\": 1",
                mapping("users", "users", "") + "," + mapping("orders", "orders", "")));
        awaitSame("orders", "id, length(name)");
        piped.awaitState(pipe, "Running");
        // They are there until the tables were read again.
        piped.query("INSERT INTO users (id) VALUES (9999)");
        piped.query("INSERT INTO orders (id) VALUES (9999)");

        program.patch(pipe + "/state", "{\"command\": \"resync\", \"targetTable\": \"orders\"}");
        // Something of it was read; on a fast machine all of it.
        piped.awaitAnswer(
                "SELECT (SELECT count() FROM system.tables WHERE name = 'orders_resync' AND total_rows > 0)"
                        + " + (SELECT countIf(id = 9999) = 0 FROM orders) > 0",
                "1");
        try (Connection open = source.open()) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO users VALUES (99)");
            program.patch(pipe + "/state", "{\"command\": \"resync\", \"targetTable\": \"users\"}");
            awaitSnapshot();
            piped.killFirstWorker();
            source.execute("UPDATE orders SET name = 'meanwhile' WHERE id = 1");
            // What the killed worker waited for is not in the way of the next one.
            piped.awaitAnswer("SELECT name FROM orders FINAL WHERE id = 1", "meanwhile");
            open.commit();
        }
        awaitSame("orders", "id, length(name)");
        awaitSame("users", "id");
    }

    @Test
    void changesThatTheDatabaseRefusesAreKeptAndTheOthersArrive()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute("CREATE TABLE notes (id bigint PRIMARY KEY, amount numeric)", "INSERT INTO notes VALUES (1, 1)");
        String pipe = piped.create(source.pipe(CHANGES, mapping("notes", "notes", "")));
        awaitSame("notes", "id, amount");
        piped.query("ALTER TABLE notes ADD CONSTRAINT small CHECK id < 1000");
        source.execute(
                "BEGIN",
                "INSERT INTO notes SELECT n, n FROM generate_series(2, 50) n",
                "INSERT INTO notes VALUES (1000, 0), (60, 1e60), (61, 61)",
                "UPDATE notes SET amount = -1e60 WHERE id = 1",
                "DELETE FROM notes WHERE id = 2",
                "COMMIT",
                "INSERT INTO notes VALUES (62, 62)");
        piped.awaitAnswer("SELECT count(), sum(id), sum(amount) FROM notes FINAL", "51\t1396\t1396");
        piped.awaitAnswer(
                "SELECT raw_message, source, fields['_peerdb_is_deleted'] FROM notes_clickpipes_error"
                        + " ORDER BY raw_message FORMAT TSVRaw",
                "1\t-1" + "0".repeat(60) + "\tpublic.notes\t0\n1000\t0\tpublic.notes\t0\n60\t1" + "0".repeat(60)
                        + "\tpublic.notes\t0");
        program.await(pipe, body -> body.contains("rows of public.notes are not in the table notes"));
        piped.awaitState(pipe, "Running");
        program.await(
                piped.service() + "/prometheus",
                body -> body.lines().anyMatch(line -> line.matches("ClickPipes_Errors_Total\\{.*} 3")));

        source.execute("UPDATE notes SET amount = 0 WHERE abs(amount) > 1e38", "DELETE FROM notes WHERE id = 1000");
        program.patch(pipe + "/state", "{\"command\": \"resync\", \"targetTable\": \"notes\"}");
        awaitSame("notes", "id, amount");
    }

    /** A snapshot that waits for a transaction which is open. */
    private void awaitSnapshot() throws InterruptedException, SQLException {
        source.awaitAnswer(
                "SELECT count(*) FROM pg_replication_slots"
                        + " WHERE slot_name LIKE '%_snapshot' AND confirmed_flush_lsn IS NULL",
                "1");
    }

    @Test
    void slotOfADeletedPipeGoesOnceItsSourceLetsThePipeIn()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute("CREATE TABLE notes (id bigint PRIMARY KEY)", "INSERT INTO notes VALUES (1)");
        String pipe = piped.create(source.pipe(CHANGES, mapping("notes", "notes", "")));
        awaitSame("notes", "id");
        source.execute("ALTER ROLE piper NOLOGIN");
        program.send(program.management(pipe).DELETE());
        Instant deadline = Instant.now().plus(Duration.ofSeconds(60));
        while (!program.log().contains("What it made at the source is still there")) {
            assertThat(Instant.now()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(source.query("SELECT count(*) FROM pg_replication_slots")).isEqualTo("1");
        source.execute("ALTER ROLE piper LOGIN");
        source.awaitAnswer("SELECT count(*) FROM pg_replication_slots", "0");
        source.awaitAnswer("SELECT count(*) FROM pg_publication", "0");
    }

    @Test
    void slotOfAPipeThatStandsStillIsMeasured()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute("CREATE TABLE notes (id bigint PRIMARY KEY)", "INSERT INTO notes VALUES (1)");
        String pipe = piped.create(source.pipe(CHANGES, mapping("notes", "notes", "")));
        awaitSame("notes", "id");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Paused");
        for (int segment = 0; segment < 4; segment++) {
            source.execute("INSERT INTO notes VALUES (1" + segment + ")", "SELECT pg_switch_wal()");
        }
        // Its next worker fails before it measures anything, so that what is known was measured after its end.
        source.execute("ALTER TABLE notes RENAME TO hidden");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitState(pipe, "Failed");
        program.await(
                piped.service() + "/prometheus",
                body -> body.lines()
                        .anyMatch(line ->
                                line.matches("ClickPipes_SourceReplicationLatency_MiB\\{.*} ([4-9]\\d|\\d{3,})")),
                Duration.ofMinutes(4));
        source.execute("ALTER TABLE hidden RENAME TO notes");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        awaitSame("notes", "id");
    }

    @Test
    void sourceThatCannotSayWhatChangesFailsThePipeWithASentence()
            throws IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE keyless (id bigint)",
                "CREATE TABLE notes (id bigint PRIMARY KEY, kind text)",
                "INSERT INTO notes VALUES (1, 'a')",
                "CREATE ROLE reader LOGIN PASSWORD '" + SourcePostgres.SECRET + "' IN ROLE pg_read_all_data");
        awaitFailed(
                source.pipe(CHANGES, mapping("keyless", "keyless", "\"tableEngine\": \"MergeTree\"")),
                "public.keyless has no primary key, by which changes could be followed");
        awaitFailed(
                source.pipe(
                        CHANGES + ", \"replicationMode\": \"cdc_only\", \"replicationSlotName\": \"nowhere\"",
                        mapping("notes", "notes", "")),
                "The source has no replication slot nowhere.");
        String reader = source.pipe(CHANGES, mapping("notes", "notes", "")).replace("piper", "reader");
        awaitFailed(reader, "The user reader may not replicate");
        source.execute("ALTER ROLE reader REPLICATION");
        awaitFailed(reader, "The user of the pipe may not make the publication");

        String sorted = piped.create(source.pipe(
                CHANGES,
                mapping("notes", "sorted", "\"useCustomSortingKey\": true, \"sortingKeys\": [\"kind\", \"id\"]")));
        piped.awaitState(sorted, "Running");
        source.execute("UPDATE notes SET kind = 'b'");
        piped.awaitState(sorted, "Failed");
        assertThat(program.getAsFirstKey(sorted).body()).contains("REPLICA IDENTITY FULL, and resync.");
        try (SourcePostgres replica = new SourcePostgres("replica")) {
            replica.execute("CREATE TABLE notes (id bigint PRIMARY KEY)");
            awaitFailed(replica.pipe(CHANGES, mapping("notes", "notes", "")), "The source has wal_level replica");
            assertThat(replica.query("SELECT count(*) FROM pg_publication")).isEqualTo("0");
        }
    }

    private void awaitFailed(String pipe, String sentence) throws IOException, InterruptedException {
        String made = piped.create(pipe);
        piped.awaitState(made, "Failed");
        assertThat(program.getAsFirstKey(made).body()).contains(sentence);
    }
}
