package io.pilothouse.server;

import static io.pilothouse.server.SourcePostgres.mapping;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers, databases and control planes are killed while changes come, and in the end the tables equal their source. */
class PipeChangesDeathIT {
    private static final int FIRST_ROWS = 20_000;
    private static final int CHANGES_AT_ONCE = 5;
    private static final int MORE_ROWS = 100;

    @TempDir
    private Path folder;

    /** What is killed. */
    private enum Victim {
        WORKER,
        DATABASE,
        CONTROL_PLANE
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void tablesEqualTheirSourceWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, SQLException, StartRefused {
        Walk walk = Walk.begin(PipeChangesDeathIT.class);
        try (SourcePostgres source = new SourcePostgres();
                KillableProgram program = new KillableProgram(folder)) {
            source.execute(
                    "CREATE TABLE notes (id bigint PRIMARY KEY, name text, amount int)",
                    "CREATE TABLE log (id bigint PRIMARY KEY, amount int)",
                    "INSERT INTO notes SELECT n, 'row', n FROM generate_series(1, " + FIRST_ROWS + ") n");
            String pipe = program.create(source.pipe(
                    "\"syncIntervalSeconds\": 1, \"deleteOnMerge\": true, \"pullBatchSize\": 700,"
                            + " \"snapshotNumRowsPerPartition\": 1000",
                    mapping("notes", "notes", "") + "," + mapping("log", "log", "\"tableEngine\": \"MergeTree\"")));
            program.killOnceThere("WorkerMain");
            walk(walk, source, program, pipe);
            program.awaitAnswer(
                    walk, inTarget("notes FINAL", "id, name, amount"), inSource(source, "notes", "id, name, amount"));
            program.awaitAnswer(walk, inTarget("log", "id, amount"), inSource(source, "log", "id, amount"));
            program.await(pipe, "\"state\":\"Running\"");
        }
    }

    /** Each of every three kills hits something else, while one of the tables is read again. */
    private static void walk(Walk walk, SourcePostgres source, KillableProgram program, String pipe)
            throws IOException, InterruptedException, SQLException, StartRefused {
        RandomGenerator random = walk.random();
        List<Victim> victims = new ArrayList<>(Arrays.asList(Victim.values()));
        int kills = Walk.length(6, 200);
        for (int kill = 0; kill < kills; kill++) {
            if (kill % victims.size() == 0) {
                Collections.shuffle(victims, random);
                program.send("PATCH", pipe + "/state", "{\"command\": \"resync\", \"targetTable\": \"notes\"}");
            }
            for (int change = 0; change < CHANGES_AT_ONCE; change++) {
                change(source, random.nextInt(FIRST_ROWS), (kill * CHANGES_AT_ONCE + change) * MORE_ROWS);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(250));
            }
            switch (victims.get(kill % victims.size())) {
                case WORKER -> program.killOnceThere("WorkerMain");
                case DATABASE -> program.killOnceThere("BundledMain");
                case CONTROL_PLANE -> program.killAndStart();
            }
        }
    }

    private static void change(SourcePostgres source, int id, int first) throws SQLException {
        source.execute(
                "UPDATE notes SET amount = amount + 1 WHERE id BETWEEN " + id + " AND " + (id + 2000),
                "DELETE FROM notes WHERE id BETWEEN " + (id + 500) + " AND " + (id + 510),
                "INSERT INTO notes SELECT n, 'more', n FROM " + series(FIRST_ROWS * 2 + first),
                "INSERT INTO log SELECT n, n FROM " + series(first));
    }

    private static String series(int first) {
        return "generate_series(" + first + ", " + (first + MORE_ROWS - 1) + ") n";
    }

    /** How many rows a table has, and a checksum of them in their order. */
    private static String inSource(SourcePostgres source, String table, String columns) throws SQLException {
        return source.query(
                "SELECT count(*), md5(string_agg(concat_ws(',', " + columns + "), ';' ORDER BY id)) FROM " + table);
    }

    private static String inTarget(String table, String columns) {
        return "SELECT count(), lower(hex(MD5(arrayStringConcat(groupArray(line), ';')))) FROM (SELECT concatWithSeparator(',', "
                + columns + ") AS line FROM " + table + " ORDER BY id)";
    }
}
