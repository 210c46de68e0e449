package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What pipes could not read goes through them again after a fix, from real sources into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeReplayIT {
    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private KinesisServer kinesis;
    private ObjectServer objects;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        kinesis = started.add(KinesisServer.start(folder));
        objects = started.add(ObjectServer.start(folder));
        broker = started.add(KafkaBroker.start(folder));
        piped = started.add(new PipedProgram(
                new LocalProgram(), folder, "--egress", objects.place(), "--aws-kinesis-url", kinesis.address()));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private void fix(String pipe, String more) throws IOException, InterruptedException {
        // What was meant to be the id comes as nr.
        program.patch(pipe, """
                {"fieldMappings": [{"sourceField": "nr", "destinationField": "id"}, \
                {"sourceField": "name", "destinationField": "name"}%s]}""".formatted(more));
    }

    private void replay(String pipe, int number) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                program.send(program.management(pipe + "/errors/replay").POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("{\"replay\":" + number + ",");
    }

    private static String errors(String table) {
        return "SELECT arrayStringConcat(arraySort(groupArray(raw_message)), ' ') FROM " + table + "_clickpipes_error";
    }

    @Test
    void recordsOfKafkaArriveAsIfTheyHadBeenReadAtOnce()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("orders", 1);
        broker.send("orders", 0, null, "{\"id\":1,\"name\":\"good\"}");
        broker.send("orders", 0, null, "{\"id\":\"two\",\"nr\":2,\"name\":\"bad\"}");
        broker.send("orders", 0, null, "not json");
        broker.flush();
        String pipe = piped.create(broker.pipe("orders", "orders", ""));
        piped.awaitAnswer(errors("orders"), "not json {\"id\":\"two\",\"nr\":2,\"name\":\"bad\"}");
        // What another pipe into this table has kept, and what was kept before rows named their pipe.
        piped.query("INSERT INTO orders_clickpipes_error (source, reason, raw_message, pipe) VALUES"
                + " ('other:0:0', 'Another pipe.', '{\"nr\":8}', 'another'), ('orders:0:9', 'Old.', '{\"nr\":9}', '')");

        fix(
                pipe,
                ", {\"sourceField\": \"_partition\", \"destinationField\": \"partition\"},"
                        + " {\"sourceField\": \"_offset\", \"destinationField\": \"offset\"}");
        replay(pipe, 1);
        piped.awaitAnswer(errors("orders"), "not json {\"nr\":8}");
        assertThat(piped.query("SELECT id, name, partition, offset FROM orders ORDER BY id"))
                .isEqualTo("1\tgood\t0\t0\n2\tbad\t0\t1\n9\t\t0\t0");
        assertThat(piped.query("SELECT reason, replay, source FROM orders_clickpipes_error WHERE pipe != 'another'"))
                .isEqualTo("The message is not a JSON object.\t0\torders:0:2");
        piped.awaitState(pipe, "Running");

        // Twice is not too often, and the source is read on meanwhile.
        replay(pipe, 2);
        broker.send("orders", 0, null, "{\"nr\":3,\"name\":\"later\"}");
        broker.flush();
        piped.awaitAnswer("SELECT count(), sum(id) FROM orders", "4\t15");
        piped.awaitAnswer("SELECT count(), sum(replay) FROM orders_clickpipes_error", "2\t0");
    }

    @Test
    void recordsOfKinesisKeepWhatTheyHadBesideTheirMessage()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("clicks", 1);
        kinesis.put("clicks", "k\"1", "{\"id\":\"two\",\"nr\":2,\"name\":\"bad\"}".getBytes(StandardCharsets.UTF_8));
        String pipe = piped.create(
                KinesisServer.pipe("clicks", "clicks", ", \"iteratorType\": \"TRIM_HORIZON\"")
                        .replace(
                                "{\"name\": \"name\"", "{\"name\": \"key\", \"type\": \"String\"}, {\"name\": \"name\"")
                        .replace(
                                "\"settings\"",
                                "\"fieldMappings\": [{\"sourceField\": \"_key\", \"destinationField\": \"key\"}], \"settings\""));
        piped.awaitAnswer("SELECT count() FROM clicks_clickpipes_error", "1");
        fix(pipe, ", {\"sourceField\": \"_key\", \"destinationField\": \"key\"}");
        replay(pipe, 1);
        piped.awaitAnswer("SELECT id, key, name FROM clicks FORMAT TSVRaw", "2\tk\"1\tbad");
        piped.awaitAnswer("SELECT count() FROM clicks_clickpipes_error", "0");
        program.await(pipe + "/errors/replay", body -> body.contains("{\"replay\":1,\"done\":1}"));
    }

    @Test
    void linesAndFilesArriveAlsoWhereThePipeHadCompleted()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("csv/1.csv", "id,nr,name\n1,1,good\ntwo,2,bad\n");
        objects.put("csv/2.csv", "name,nr,id\nalso bad,3,three\nworst,four,four\n");
        String csv = piped.create(objects.pipe("csv/*.csv", "lines", Map.of("format", "\"CSVWithNames\"")));
        piped.awaitState(csv, "Completed");
        assertThat(piped.query("SELECT count() FROM lines_clickpipes_error")).isEqualTo("3");
        fix(csv, "");
        replay(csv, 1);
        piped.awaitAnswer(
                "SELECT groupArray((id, name)) FROM (SELECT * FROM lines ORDER BY id)",
                "[(1,'good'),(2,'bad'),(3,'also bad')]");
        piped.awaitAnswer(errors("lines"), "worst,four,four");
        piped.awaitState(csv, "Completed");

        // One that is larger than an answer of the database.
        objects.put("large.json", "{\"id\":\"x\",\"nr\":5,\"name\":\"" + "y".repeat(3_000_001) + "\"}\n");
        String large = piped.create(objects.pipe("large.json", "large", Map.of()));
        piped.awaitState(large, "Completed");
        fix(large, "");
        // Two at one place, which are too large for a worker together.
        piped.query("INSERT INTO large_clickpipes_error (_timestamp, source, reason, raw_message)"
                + " SELECT now64(3) - 60, 'large.json', 'Old.', repeat(repeat('z', 21000), 1000) FROM numbers(2)");
        replay(large, 1);
        piped.awaitAnswer("SELECT id, length(name) FROM large", "5\t3000001");
        program.await(large + "/errors/replay", body -> body.contains("{\"replay\":1,\"done\":1}"));
        piped.awaitAnswer("SELECT count(), any(reason), sum(replay) FROM large_clickpipes_error", "2\tOld.\t0");

        objects.put("broken.parquet", "this is no Parquet");
        String parquet = piped.create(objects.pipe("broken.parquet", "files", Map.of("format", "\"Parquet\"")));
        piped.awaitState(parquet, "Completed");
        piped.query("INSERT INTO FUNCTION s3('" + objects.url("broken.parquet") + "', '" + ObjectServer.KEY_ID + "', '"
                + ObjectServer.SECRET + "', 'Parquet') SELECT 7::UInt64 AS id, 'whole' AS name"
                + " SETTINGS s3_truncate_on_insert = 1");
        replay(parquet, 1);
        piped.awaitAnswer("SELECT id, name FROM files", "7\twhole");
        piped.awaitAnswer("SELECT count() FROM files_clickpipes_error", "0");

        objects.put("gone.parquet", "neither");
        String gone = piped.create(
                objects.pipe("gone.parquet", "gone", Map.of("format", "\"Parquet\"", "isContinuous", "true")));
        piped.awaitAnswer("SELECT count() FROM gone_clickpipes_error", "1");
        objects.delete("gone.parquet");
        replay(gone, 1);
        piped.awaitAnswer("SELECT reason FROM gone_clickpipes_error", "The file is not there any more.");
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void eachErrorIsReadAgainOnceWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        Walk walk = Walk.begin(PipeReplayIT.class);
        RandomGenerator random = walk.random();
        int rows = 300;
        broker.topic("walked", 2);
        for (int id = 0; id < rows; id++) {
            String nr = id % 3 == 0 ? "\"never\"" : Integer.toString(id);
            broker.send(
                    "walked",
                    id % 2,
                    null,
                    "{\"id\":\"n" + id + "\",\"nr\":" + nr + ",\"name\":\"" + "x".repeat(30_000) + "\"}");
        }
        broker.flush();
        String pipe = piped.create(broker.pipe("walked", "walked", ""));
        piped.awaitAnswer("SELECT count() FROM walked_clickpipes_error", Integer.toString(rows));
        fix(pipe, "");
        replay(pipe, 1);
        for (int kill = Walk.length(4, 100); kill > 0; kill--) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
            piped.killSome(random);
        }
        String good = rows * 2 / 3 + "\t" + rows * 2 / 3;
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM walked", good);
        piped.awaitAnswer(
                "SELECT count(), uniqExact(source), sum(replay), countIf(raw_message LIKE '%never%') FROM walked_clickpipes_error",
                rows / 3 + "\t" + rows / 3 + "\t0\t" + rows / 3);
        assertThat(piped.query("SELECT count(), uniqExact(id) FROM walked"))
                .as("%s", walk)
                .isEqualTo(good);
    }
}
