package io.pilothouse.server;

import static io.pilothouse.server.SourcePostgres.mapping;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipes from a real PostgreSQL into a real ClickHouse. */
class PipePostgresIT {
    private static final String SNAPSHOT = "\"replicationMode\": \"snapshot\"";

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

    @Test
    void valuesOfEveryTypeArriveAsTheyAre()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TYPE mood AS ENUM ('fine', 'bad')",
                "CREATE DOMAIN small AS numeric(5, 2)",
                """
                CREATE TABLE things (id bigint PRIMARY KEY, flag boolean, small smallint, number integer, share real,
                  ratio double precision, price numeric(10, 3), any_number numeric, part small, name text, code varchar(9),
                  mood mood, born date, seen timestamp, seen_there timestamptz, at time, key uuid, raw bytea, document jsonb,
                  numbers integer[], names text[], keys uuid[], double_number integer GENERATED ALWAYS AS (number * 2) STORED,
                  hidden text)""",
                """
                INSERT INTO things VALUES (1, true, -32768, 1073741823, 1.5, 'NaN', -1234567.891, 12345678901234567890.5, 1.25,
                  E'tab\\t line\\n back\\\\ ''quote'' ü', 'c', 'bad', '2024-02-29', '2024-02-29 23:59:59.123456',
                  '2024-02-29 23:59:59.5+02', '12:30', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff5c', '{"a": [1, "x\\ty"]}',
                  '{1,NULL,3}', ARRAY['a,"b"', '', E'\\\\'], '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', DEFAULT, 'secret')""",
                "INSERT INTO things (id) VALUES (2)",
                "INSERT INTO things (id, any_number, born, seen, seen_there) VALUES (3, 'NaN', 'infinity', '-infinity', '0044-03-15 BC')",
                "INSERT INTO things (id, born, seen, seen_there) VALUES (4, '1066-10-14', '12345-01-01', '2299-12-31 23:59:59+00')");
        String pipe = piped.create(source.pipe(
                SNAPSHOT,
                mapping("things", "things", "\"excludedColumns\": [\"hidden\"]") + ","
                        + mapping("things", "null_things", "\"tableEngine\": \"Null\"")));
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT * EXCEPT (_peerdb_synced_at) FROM things WHERE id = 1 FORMAT TSVRaw"))
                .isEqualTo(String.join(
                        "\t",
                        "1",
                        "true",
                        "-32768",
                        "1073741823",
                        "1.5",
                        "nan",
                        "-1234567.891",
                        "12345678901234567890.5",
                        "1.25",
                        "tab\t line\n back\\ 'quote' ü",
                        "c",
                        "bad",
                        "2024-02-29",
                        "2024-02-29 23:59:59.123456",
                        "2024-02-29 21:59:59.500000",
                        "12:30:00",
                        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                        "\u0000\uFFFD\\",
                        "{\"a\": [1, \"x\\ty\"]}",
                        "[1,0,3]",
                        "['a,\"b\"','','\\\\']",
                        "['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']",
                        "2147483646",
                        "0",
                        "0"));
    }

    @Test
    void tablesAreReadInRangesIntoTheEngineThatIsWanted()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE events (id bigint PRIMARY KEY, kind text NOT NULL, amount numeric(12, 2))",
                "INSERT INTO events SELECT n, 'kind ' || n % 7, n / 100.0 FROM generate_series(1, 50000) n",
                "CREATE TABLE parted (id bigint, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)",
                "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO ('2024-02-01')",
                "CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('2024-02-01') TO ('2024-03-01')",
                "INSERT INTO parted SELECT n, date '2024-01-01' + n % 60 FROM generate_series(1, 20000) n",
                "CREATE TABLE keyless (name text)",
                "INSERT INTO keyless SELECT 'same' FROM generate_series(1, 3000)",
                "CREATE TABLE \"Odd \"\"name\" (\"Key \"\"a\" int PRIMARY KEY)",
                "INSERT INTO \"Odd \"\"name\" VALUES (7)",
                "ANALYZE");
        String pipe = piped.create(source.pipe(
                SNAPSHOT + ", \"snapshotNumRowsPerPartition\": 1000, \"allowNullableColumns\": true",
                String.join(
                        ",",
                        mapping("events", "events", ""),
                        mapping(
                                "events",
                                "by_kind",
                                "\"useCustomSortingKey\": true, \"sortingKeys\": [\"kind\", \"id\"], \"partitionByExpr\": \"kind\""),
                        mapping("parted", "parted", ""),
                        mapping("keyless", "keyless", "\"tableEngine\": \"MergeTree\""),
                        mapping("Odd \\\"name", "odd", ""))));
        piped.awaitState(pipe, "Completed");
        String wanted = source.query("SELECT count(*), sum(id), trim_scale(sum(amount)) FROM events");
        assertThat(piped.query("SELECT count(), sum(id), sum(amount) FROM events"))
                .isEqualTo(wanted);
        assertThat(piped.query("SELECT count(), sum(id), sum(amount) FROM by_kind"))
                .isEqualTo(wanted);
        assertThat(piped.query("SELECT count(), uniqExact(id), sum(toUInt32(day)) FROM parted"))
                .isEqualTo(
                        source.query("SELECT count(*), count(DISTINCT id), sum(day - date '1970-01-01') FROM parted"));
        assertThat(piped.query("SELECT count(), any(name) FROM keyless")).isEqualTo("3000\tsame");
        assertThat(piped.query("SELECT `Key \"a` FROM odd")).isEqualTo("7");
        assertThat(piped.query("SELECT engine_full FROM system.tables WHERE name = 'by_kind'"))
                .startsWith("ReplacingMergeTree(_peerdb_version) PARTITION BY kind ORDER BY (kind, id)");
        assertThat(piped.query("SELECT type FROM system.columns WHERE table = 'events' AND name = 'amount'"))
                .isEqualTo("Nullable(Decimal(12, 2))");

        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT count() FROM system.query_log WHERE query LIKE '%" + SourcePostgres.SECRET + "%'"
                        + " AND query NOT LIKE '%query_log%'"))
                .isEqualTo("0");
        assertThat(program.log()).doesNotContain(SourcePostgres.SECRET);

        source.execute("UPDATE events SET amount = 1");
        program.patch(pipe + "/state", "{\"command\":\"resync\"}");
        piped.awaitAnswer("SELECT count(), sum(amount) FROM events", "50000\t50000");
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT count() FROM system.tables WHERE name LIKE '%_resync'"))
                .isEqualTo("0");
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyRowOfASnapshotIsThereOnceWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        Walk walk = Walk.begin(PipePostgresIT.class);
        int rows = Walk.length(200_000, 3_000_000);
        source.execute(
                "CREATE TABLE events (id bigint PRIMARY KEY, name text)",
                "INSERT INTO events SELECT n, 'row ' || n FROM generate_series(1, " + rows + ") n",
                "ANALYZE events");
        String pipe = piped.create(source.pipe(
                SNAPSHOT + ", \"snapshotNumRowsPerPartition\": 1000",
                mapping("events", "events", "\"tableEngine\": \"MergeTree\"")));
        piped.killFirstWorker();
        int kills = Walk.length(4, 100);
        for (int kill = 0; kill < kills; kill++) {
            TimeUnit.MILLISECONDS.sleep(walk.random().nextInt(1500));
            piped.killSome(walk.random());
        }
        program.await(pipe, body -> body.contains("\"state\":\"Completed\""));
        program.await(piped.service(), body -> body.contains("\"state\":\"running\""));
        assertThat(piped.query("SELECT count(), uniqExact(id), sum(id) FROM events"))
                .as("%s", walk)
                .isEqualTo(rows + "\t" + rows + "\t" + (long) rows * (rows + 1) / 2);
    }

    @Test
    void rowsThatTheDatabaseRefusesAreKeptAndTheOthersArrive()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException {
        source.execute(
                "CREATE TABLE events (id bigint PRIMARY KEY, amount numeric, name text)",
                // Some megabytes in one range, and rows that do not fit at its beginning, in the middle and at the end.
                "INSERT INTO events SELECT n, n / 100.0, repeat('name ' || n, 40) FROM generate_series(1, 10000) n",
                "UPDATE events SET amount = 1e50 WHERE id IN (1, 5000, 9999)",
                "UPDATE events SET amount = 'NaN', name = E'tab\\t' WHERE id = 77");
        piped.query("CREATE TABLE events (id Int64, amount Decimal(76, 38), name String, _peerdb_synced_at"
                + " DateTime64(9) DEFAULT now64(9), _peerdb_is_deleted UInt8, _peerdb_version UInt64,"
                + " CONSTRAINT seventy CHECK id NOT BETWEEN 70 AND 79) ENGINE = MergeTree ORDER BY id"
                + " SETTINGS non_replicated_deduplication_window = 1000");
        String pipe = piped.create(source.pipe(SNAPSHOT, mapping("events", "events", "")));
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT count(), uniqExact(id), sum(id) FROM events"))
                .isEqualTo(source.query("SELECT count(*), count(DISTINCT id), sum(id) FROM events"
                        + " WHERE amount <> 1e50 AND id NOT BETWEEN 70 AND 79"));
        assertThat(piped.query("SELECT count(), uniqExact(raw_message), countIf(reason LIKE '%seventy%'),"
                        + " countIf(reason LIKE '%Decimal%') FROM events_clickpipes_error"))
                .isEqualTo("13\t13\t10\t3");
        assertThat(piped.query("SELECT source, raw_message, fields['_columns'], fields['_peerdb_version']"
                        + " FROM events_clickpipes_error WHERE raw_message LIKE '77\\t%' FORMAT TSVRaw"))
                .isEqualTo("public.events\t77\tNaN\ttab\\t\tid, amount, name\t0");
        assertThat(program.getAsFirstKey(pipe).body())
                .contains("10 rows of public.events are not in the table events: Constraint `seventy`");
    }

    @Test
    void sourceThatRefusesFailsThePipeWithASentence() throws IOException, InterruptedException, SQLException {
        source.execute("CREATE TABLE keyless (name text)");
        String pipe = piped.create(source.pipe(SNAPSHOT, mapping("nowhere", "t", "")));
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("The source has no table public.nowhere.");
        String other = piped.create(source.pipe(SNAPSHOT, mapping("keyless", "t", "")));
        piped.awaitState(other, "Failed");
        assertThat(program.getAsFirstKey(other).body()).contains("has no primary key");
        String third = piped.create(source.pipe(SNAPSHOT, mapping("keyless", "t", ""))
                .replace("\"disableTls\": true", "\"disableTls\": false"));
        piped.awaitState(third, "Failed");
        assertThat(program.getAsFirstKey(third).body()).contains("does not support SSL");
    }
}
