package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes from a real server of Kinesis, whose shards end as Amazon's do, into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeKinesisIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String OLDEST = ", \"iteratorType\": \"TRIM_HORIZON\"";

    private final StartedParts started = new StartedParts();
    private KinesisServer kinesis;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        kinesis = started.add(KinesisServer.start(folder));
        piped = started.add(new PipedProgram(new LocalProgram(), folder, "--aws-kinesis-url", kinesis.address()));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private static List<String> rows(int from, int count) {
        List<String> rows = new ArrayList<>();
        for (int id = from; id < from + count; id++) {
            rows.add("{\"id\":" + id + ",\"name\":\"n" + id + "\",\"more\":{\"x\":1}}");
        }
        return rows;
    }

    @Test
    void recordsOfAllShardsArriveAndShardsThatComeOutOfOthersFollow()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("first", 2);
        kinesis.put("first", rows(0, 1200));
        String pipe = piped.create(KinesisServer.pipe("first", "first", OLDEST));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM first", "1200\t1200");
        piped.awaitState(pipe, "Running");
        kinesis.split("first", kinesis.openShards("first").getFirst());
        kinesis.put("first", rows(1200, 600));
        kinesis.merge(
                "first",
                kinesis.openShards("first").get(1),
                kinesis.openShards("first").get(2));
        kinesis.put("first", rows(1800, 200));
        piped.awaitAnswer("SELECT count(), uniqExact(id), sum(id) FROM first", "2000\t2000\t" + 1999 * 2000 / 2);
        Pattern sent = Pattern.compile("ClickPipes_SentEvents_Total\\{[^}]*clickpipe_source=\"kinesis\"[^}]*\\} 2000");
        program.await(
                program.running().urls().admin() + "/metrics",
                metrics -> sent.matcher(metrics).find());
        assertThat(program.getAsFirstKey(pipe).body()).doesNotContain(KinesisServer.SECRET);
        assertThat(program.log()).doesNotContain(KinesisServer.SECRET);
    }

    @Test
    void fieldsOfItsRecordsAreDiscovered() throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("looked-at", 3);
        kinesis.put("looked-at", rows(0, 30));
        kinesis.put("looked-at", "k", "{\"id\": 31, \"more\": {\"y\": null}}".getBytes(StandardCharsets.UTF_8));
        kinesis.split("looked-at", kinesis.openShards("looked-at").getFirst());

        assertThat(discover("looked-at", 200))
                .contains(
                        "{\"name\":\"id\",\"type\":\"Int64\",\"optional\":false}",
                        "{\"name\":\"name\",\"type\":\"String\",\"optional\":true}",
                        "{\"name\":\"more.x\",\"type\":\"Int64\",\"optional\":true}",
                        "{\"name\":\"more.y\",\"type\":\"String\",\"optional\":true}",
                        "\"meta\":{\"records\":\"31\"}");
        kinesis.stream("quiet", 1);
        assertThat(discover("quiet", 424)).contains("Kinesis (quiet)", "There is no record in it yet");
        assertThat(discover("missing", 424)).contains("There is no stream missing in us-east-1.");
        assertThat(program.log()).doesNotContain(KinesisServer.SECRET);
    }

    private String discover(String stream, int status) throws IOException, InterruptedException {
        return discover(stream, OLDEST, status);
    }

    private String discover(String stream, String more, int status) throws IOException, InterruptedException {
        String source = KinesisServer.source(stream, more);
        HttpResponse<String> answer = program.send(program.management(piped.service() + "/clickpipes/schemaDiscovery")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"source\": " + source + "}")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    @Test
    void recordsOfOneKeyKeepTheirOrderAcrossShards()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("ordered", 1);
        piped.query("CREATE TABLE ordered (id UInt64, name String, at DateTime64(6) DEFAULT now64(6), inserted UInt64"
                + " DEFAULT rowNumberInAllBlocks()) ENGINE = MergeTree ORDER BY id"
                + " SETTINGS non_replicated_deduplication_window = 1000");
        for (int round = 0; round < 6; round++) {
            for (String row : rows(round * 20, 20)) {
                kinesis.put("ordered", "one key", row.getBytes(StandardCharsets.UTF_8));
            }
            kinesis.split("ordered", kinesis.openShards("ordered").get(round / 2));
        }
        piped.create(KinesisServer.pipe("ordered", "ordered", OLDEST)
                .replaceFirst("\"managedTable.*\\n.*sortingKey[^\\n]*\\n", "\"managedTable\": false,\n")
                .replace("\"settings\"", "\"scaling\": {\"replicas\": 3}, \"settings\""));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM ordered", "120\t120");
        assertThat(piped.query("SELECT countIf(later < earlier) FROM (SELECT (at, inserted) AS later,"
                        + " lagInFrame((at, inserted)) OVER (ORDER BY id) AS earlier FROM ordered)"))
                .isEqualTo("0");
    }

    @Test
    void whatARecordHasBesideItsMessageBecomesColumns()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("keyed", 1);
        kinesis.put("keyed", "k\"1", "{ \"user\": {\"name\": \"Ada\"} }".getBytes(StandardCharsets.UTF_8));
        piped.create("""
            {"name": "Keys", "source": {"kinesis": {"streamName": "keyed", "region": "us-east-1", "iteratorType": "TRIM_HORIZON",
               "authentication": "IAM_USER", "accessKey": {"accessKeyId": "a", "secretKey": "b"}}},
             "destination": {"table": "keyed", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["at"]},
               "columns": [{"name": "key", "type": "String"}, {"name": "at", "type": "DateTime64(3)"}, {"name": "stream", "type": "String"},
                 {"name": "name", "type": "String"}, {"name": "raw", "type": "String"}, {"name": "number", "type": "UInt256"}]},
             "fieldMappings": [{"sourceField": "_key", "destinationField": "key"}, {"sourceField": "_timestamp", "destinationField": "at"},
               {"sourceField": "_stream", "destinationField": "stream"}, {"sourceField": "user.name", "destinationField": "name"},
               {"sourceField": "_raw_message", "destinationField": "raw"}, {"sourceField": "_sequence_number", "destinationField": "number"}],
             "settings": {"streaming_max_insert_wait_ms": 500}}""");
        piped.awaitAnswer(
                "SELECT key, stream, name, raw, abs(at - now()) < 300, length(toString(number)) FROM keyed FORMAT TSVRaw",
                "k\"1\tkeyed\tAda\t{ \"user\": {\"name\": \"Ada\"} }\t1\t56");
    }

    @Test
    void serverWithoutEnhancedFanOutIsSaidAndIsNotReadInAnotherWay() throws IOException, InterruptedException {
        kinesis.stream("unpushed", 1);
        String pipe =
                piped.create(KinesisServer.pipe("unpushed", "unpushed", OLDEST + ", \"useEnhancedFanOut\": true"));
        program.await(pipe, body -> body.contains("\"state\":\"Failed\"") && body.contains("Kinesis refuses"));
    }

    @Test
    void recordsThatCannotBeReadAreKeptAndHoldUpNobody()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("spoilt", 1);
        kinesis.put("spoilt", rows(0, 700));
        kinesis.put("spoilt", List.of("not json", "{\"id\":\"seven\"}", "{\"id\":1", "[{\"id\":1}]"));
        kinesis.put("spoilt", rows(700, 300));
        String pipe = piped.create(KinesisServer.pipe("spoilt", "spoilt", OLDEST));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM spoilt", "1000\t1000");
        piped.awaitAnswer(
                "SELECT arrayStringConcat(arraySort(groupArray(raw_message)), ' '),"
                        + " countIf(source LIKE 'spoilt:shardId-000000000000:%') FROM spoilt_clickpipes_error",
                "[{\"id\":1}] not json {\"id\":\"seven\"} {\"id\":1\t4");
        program.await(pipe, body -> body.contains("4 records of spoilt:shardId-000000000000 cannot be read"));
    }

    @Test
    void pipeGoesOnWhereItWasWithAnyNumberOfReplicas()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("scaled", 4);
        kinesis.put("scaled", rows(0, 100));
        String pipe = piped.create(KinesisServer.pipe("scaled", "scaled", OLDEST));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "100\t100");
        piped.awaitState(pipe, "Running");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        kinesis.put("scaled", rows(100, 100));
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "200\t200");
        program.patch(pipe + "/scaling", "{\"replicas\":4}");
        kinesis.put("scaled", rows(200, 100));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "300\t300");
        program.patch(pipe + "/scaling", "{\"replicas\":2}");
        kinesis.put("scaled", rows(300, 100));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "400\t400");
        piped.awaitState(pipe, "Running");
    }

    private void stop(String pipe) throws IOException, InterruptedException {
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
    }

    /** Sends a stopped pipe elsewhere, and starts it. */
    private void seek(String pipe, String to) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(pipe + "/offsets")
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(to)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
    }

    @Test
    void stoppedPipeIsSentElsewhereAndReadsOnFromThere()
            throws GeneralSecurityException, IOException, InterruptedException {
        String count = "SELECT count(), uniqExact(id) FROM sought";
        kinesis.stream("sought", 1);
        kinesis.put("sought", rows(0, 10));
        String pipe = piped.create(KinesisServer.pipe("sought", "sought", OLDEST)
                .replace("{\"name\": \"name\"", "{\"name\": \"number\", \"type\": \"String\"}, {\"name\": \"name\"")
                .replace(
                        "\"settings\"",
                        "\"fieldMappings\": [{\"sourceField\": \"_sequence_number\", \"destinationField\":"
                                + " \"number\"}], \"settings\""));
        piped.awaitAnswer(count, "10\t10");
        String last = piped.query("SELECT number FROM sought WHERE id = 9");
        program.await(
                pipe + "/offsets",
                body -> body.contains("\"partition\":\"sought:shardId-000000000000\",\"lastSequenceNumber\":\"" + last
                        + "\",\"millisBehindLatest\":0,\"lagAt\":"));

        stop(pipe);
        seek(pipe, "{\"to\": \"beginning\"}");
        piped.awaitAnswer(count, "20\t10");
        stop(pipe);
        String seventh = piped.query("SELECT any(number) FROM sought WHERE id = 7");
        seek(
                pipe,
                "{\"to\": \"sequenceNumber\", \"sequenceNumber\": \"" + seventh
                        + "\", \"partitions\": [\"sought:shardId-000000000000\"]}");
        piped.awaitAnswer(count, "23\t10");
        stop(pipe);
        seek(
                pipe,
                "{\"to\": \"time\", \"time\": \"2020-01-01T00:00:00Z\","
                        + " \"partitions\": [\"sought:shardId-000000000000\"]}");
        piped.awaitAnswer(count, "33\t10");

        // Split while it is stopped: both read on from the end of the first, and none of it twice.
        stop(pipe);
        kinesis.put("sought", rows(10, 4));
        kinesis.split("sought", kinesis.openShards("sought").getFirst());
        kinesis.put("sought", rows(14, 6));
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer(count, "43\t20");
        program.await(
                pipe + "/offsets",
                body -> body.contains("\"partition\":\"sought:shardId-000000000000\",\"ended\":true}")
                        && body.contains("sought:shardId-000000000001")
                        && body.contains("sought:shardId-000000000002"));
        // The closed one is read again; what came out of it goes on where it was.
        stop(pipe);
        seek(pipe, "{\"to\": \"beginning\", \"partitions\": [\"sought:shardId-000000000000\"]}");
        piped.awaitAnswer(count, "57\t20");
        stop(pipe);
        seek(pipe, "{\"to\": \"beginning\"}");
        piped.awaitAnswer(count, "77\t20");

        stop(pipe);
        seek(
                pipe,
                "{\"to\": \"sequenceNumber\", \"sequenceNumber\": \"" + seventh
                        + "\", \"partitions\": [\"sought:shardId-000000000001\"]}");
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("has no record " + seventh, "Send it to another place");
    }

    @Test
    void pipeThatIsSentToTheEndLeavesOutWhatWasThere()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("ended", 1);
        kinesis.put("ended", rows(0, 10));
        String pipe = piped.create(KinesisServer.pipe("ended", "ended", OLDEST));
        piped.awaitAnswer("SELECT count() FROM ended", "10");
        stop(pipe);
        seek(pipe, "{\"to\": \"end\"}");
        // Until one comes: kinesalite gives no answer about a moment after which it has no record.
        Instant deadline = Instant.now().plus(PATIENCE);
        for (int next = 10; piped.query("SELECT max(id) >= 10 FROM ended").equals("0"); next++) {
            assertThat(Instant.now()).isBefore(deadline);
            kinesis.put("ended", rows(next, 1));
        }
        assertThat(piped.query("SELECT countIf(id < 10) FROM ended")).isEqualTo("10");
    }

    @Test
    void pipeMayBeginAtAMoment() throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("timed", 1);
        kinesis.put("timed", rows(0, 10));
        // A pipe from the oldest record takes longer than the second to which a moment is exact.
        piped.create(KinesisServer.pipe("timed", "all_of_it", OLDEST));
        piped.awaitAnswer("SELECT count() FROM all_of_it", "10");
        long moment = Instant.now().getEpochSecond();
        kinesis.put("timed", rows(10, 5));
        piped.create(
                KinesisServer.pipe("timed", "since", ", \"iteratorType\": \"AT_TIMESTAMP\", \"timestamp\": " + moment));
        piped.awaitAnswer("SELECT count(), min(id) FROM since", "5\t10");
    }

    /** A container of Avro with people of these ids. */
    private static byte[] people(long... ids) throws IOException {
        Schema schema = SchemaBuilder.record("Person")
                .fields()
                .requiredLong("id")
                .optionalString("name")
                .endRecord();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(CodecFactory.deflateCodec(6)).create(schema, out);
            for (long id : ids) {
                writer.append(new GenericRecordBuilder(schema)
                        .set("id", id)
                        .set("name", "n" + id)
                        .build());
            }
        }
        return out.toByteArray();
    }

    @Test
    void recordsOfAvroBringTheirSchema() throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("people", 1);
        kinesis.put("people", "one", people(1));
        kinesis.put("people", "two", people(2, 3));
        kinesis.put("people", "bad", "not Avro".getBytes(StandardCharsets.UTF_8));
        kinesis.put("people", "four", people(4));
        piped.create(KinesisServer.pipe("people", "people", OLDEST + ", \"format\": \"Avro\""));
        piped.awaitAnswer(
                "SELECT arrayStringConcat(groupArray(concat(toString(id), name)), ' ') FROM (SELECT * FROM people ORDER BY id)",
                "1n1 2n2 3n3 4n4");
        piped.awaitAnswer("SELECT groupArray(raw_message) FROM people_clickpipes_error", "['not Avro']");
        assertThat(discover("people", OLDEST + ", \"format\": \"Avro\"", 200))
                .contains(
                        "{\"name\":\"id\",\"type\":\"Int64\",\"optional\":false}",
                        "{\"name\":\"name\",\"type\":\"String\",\"optional\":true}");
    }

    @Test
    void pipeSaysWhatItCannotRead() throws IOException, InterruptedException {
        String missing = piped.create(KinesisServer.pipe("nowhere", "nowhere", ""));
        piped.awaitState(missing, "Failed");
        assertThat(program.getAsFirstKey(missing).body()).contains("There is no stream nowhere in us-east-1.");
        String avro = piped.create(KinesisServer.pipe("nowhere", "avro", ", \"format\": \"AvroConfluent\""));
        piped.awaitState(avro, "Failed");
        assertThat(program.getAsFirstKey(avro).body())
                .contains("Messages of AvroConfluent cannot be read without a schema registry");
    }
}
