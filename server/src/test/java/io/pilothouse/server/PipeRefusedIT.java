package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a real ClickHouse that are against what a pipe brings, are mended, and have each row once in the end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeRefusedIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ROWS = 3000;
    private static final String COUNT = "SELECT count(), uniqExact(id) FROM ";

    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        piped = started.add(new PipedProgram(new LocalProgram(), folder));
        program = piped.program();
        broker = started.add(KafkaBroker.start(folder));
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private void send(String topic, int from, int count, String name) {
        for (int id = from; id < from + count; id++) {
            broker.send(topic, 0, null, "{\"id\":" + id + ",\"name\":\"" + name + "\"}");
        }
        broker.flush();
    }

    private String pipe(String topic)
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic(topic, 1);
        send(topic, 0, 10, "first");
        String pipe = piped.create(broker.pipe(topic, topic, "").replace("_wait_ms\": 500", "_wait_ms\": 3000"));
        piped.awaitAnswer(COUNT + topic, "10\t10");
        return pipe;
    }

    @Test
    void tableThatRefusesTooManyGetsNothingOfThemUntilItIsMended()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        String pipe = pipe("many");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        piped.query("ALTER TABLE many ADD CONSTRAINT few CHECK id < 100");
        send("many", 10, ROWS, "more");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        // Each of a thousand is looked at alone before that.
        program.await(pipe, body -> body.contains("\"state\":\"Failed\""), PATIENCE);
        assertThat(program.getAsFirstKey(pipe).body()).contains("refuses more than 1000 records", "Constraint `few`");
        assertThat(piped.query(COUNT + "many")).isEqualTo("10\t10");

        piped.query("ALTER TABLE many DROP CONSTRAINT few");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer(COUNT + "many", (ROWS + 10) + "\t" + (ROWS + 10));
        piped.awaitAnswer("SELECT count() FROM many_clickpipes_error", "0");
    }

    @Test
    void recordByWhichATableCannotBeSortedIsKeptAndTheOthersArrive()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        piped.query("CREATE TABLE dated (id UInt64, name String, partition Int32, offset Int64) ENGINE = MergeTree"
                + " PARTITION BY toYear(toDate(name)) ORDER BY id SETTINGS non_replicated_deduplication_window = 1000");
        broker.topic("dated", 1);
        send("dated", 0, 20, "2026-01-01");
        send("dated", 20, 1, "no date");
        send("dated", 21, 20, "2025-01-01");
        piped.create(broker.pipe("dated", "dated", "")
                .replaceAll("\"managedTable\": true,\\s+\"tableDefinition\".*", "\"managedTable\": false,"));
        piped.awaitAnswer(COUNT + "dated", "40\t40");
        piped.awaitAnswer("SELECT source FROM dated_clickpipes_error", "dated:0:20");
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void eachRecordIsThereOnceOrKeptWhateverIsKilledWhileATableRefusesSome()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        Walk walk = Walk.begin(PipeRefusedIT.class);
        RandomGenerator random = walk.random();
        pipe("some");
        int next = 10;
        for (int kill = Walk.length(4, 100); kill > 0; kill--) {
            // Another constraint each time: what is repeated after a crash meets another table.
            piped.awaitAnswer("ALTER TABLE some ADD CONSTRAINT IF NOT EXISTS few CHECK id % 17 != " + kill % 17, "");
            send("some", next, ROWS, "more");
            next += ROWS;
            TimeUnit.MILLISECONDS.sleep(random.nextInt(2500));
            piped.killSome(random);
            piped.awaitAnswer("ALTER TABLE some DROP CONSTRAINT IF EXISTS few", "");
        }
        String all = Integer.toString(next);
        piped.awaitAnswer(
                "SELECT uniqExact(id) FROM (SELECT id FROM some UNION ALL"
                        + " SELECT JSONExtractUInt(raw_message, 'id') FROM some_clickpipes_error)",
                all);
        assertThat(piped.query("SELECT count() - uniqExact(id) FROM some"))
                .as("%s", walk)
                .isEqualTo("0");
    }
}
