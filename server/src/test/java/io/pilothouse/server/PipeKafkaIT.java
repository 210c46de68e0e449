package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes from a real broker of Kafka into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeKafkaIT {
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

    /** Rows with the ids from {@code from} on, over partitions in turn. */
    private void send(String topic, int partitions, int from, int count) {
        for (int id = from; id < from + count; id++) {
            broker.send(
                    topic, id % partitions, null, "{\"id\":" + id + ",\"name\":\"n" + id + "\",\"more\":{\"x\":1}}");
        }
        broker.flush();
    }

    @Test
    void recordsOfAllTopicsArriveInTheOrderOfTheirPartitions()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("first", 3);
        broker.topic("second", 1);
        send("first", 3, 0, 300);
        send("second", 1, 300, 50);
        String pipe = piped.create(broker.pipe("first, second", "both", ""));
        piped.awaitAnswer("SELECT count(), sum(id) FROM both", "350\t" + 349 * 350 / 2);
        piped.awaitState(pipe, "Running");
        send("first", 3, 350, 30);
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM both", "380\t380");
        piped.awaitAnswer(
                "SELECT countIf(ids != arraySort(ids)) FROM (SELECT arrayMap(x -> x.2, arraySort(groupArray((offset, id))))"
                        + " AS ids FROM both GROUP BY partition, name LIKE 'n3%' AND id >= 300 AND id < 350)",
                "0");
        // A worker reports after it has inserted.
        Pattern sent = Pattern.compile("ClickPipes_SentEvents_Total\\{[^}]*clickpipe_source=\"kafka\"[^}]*\\} 380");
        program.await(
                program.running().urls().admin() + "/metrics",
                metrics -> sent.matcher(metrics).find());
        String seen = program.getAsFirstKey(piped.service() + "/prometheus").body();
        String labels = "\\{[^}]*clickhouse_service_name=\"[^}]*clickpipe_source=\"kafka\"\\} ";
        assertThat(seen)
                .containsPattern("ClickPipes_FetchedEvents_Total" + labels + "380\n")
                .containsPattern("ClickPipes_Errors_Total" + labels + "0\n");
        for (String more : List.of(
                "FetchedBytes_Total",
                "FetchedBytesCompressed_Total",
                "SentBytes_Total",
                "SentBytesCompressed_Total",
                "Latency",
                "Replica_CPULimit",
                "Replica_MemoryUsage",
                "Replica_MemoryLimit")) {
            assertThat(seen).containsPattern("ClickPipes_" + more + labels + "[1-9]");
        }
        assertThat(seen).containsPattern("pilothouse_pipe_lag_records" + labels + "0\n");
        showsHowFastItIs(pipe);
    }

    /** The console knows a rate once it has looked twice, some seconds apart. */
    private void showsHowFastItIs(String pipe) throws IOException, InterruptedException {
        String service = piped.service();
        String page = service.substring(service.lastIndexOf("/services/")) + "/pipes/"
                + pipe.substring(pipe.lastIndexOf("/") + 1);
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(ConsolePages.text(pages.page(page))).contains("Records sentknown in a few seconds");
            Instant looked = Instant.now();
            program.await(
                    program.running().urls().admin() + "/metrics",
                    _ -> Instant.now().isAfter(looked.plusSeconds(3)));
            assertThat(ConsolePages.text(pages.page(page)))
                    .contains("Records sent0/s", "Data sent, uncompressed0 B/s", "Sent since its start380");
        }
    }

    @Test
    void whatARecordHasBesideItsMessageBecomesColumns()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("keyed", 1);
        broker.send("keyed", 0, "k\"1", "{ \"user\": {\"name\": \"Ada\"} }");
        broker.send("keyed", 0, null, "{}");
        broker.send("keyed", 0, "gone", null);
        broker.flush();
        piped.create("""
            {"name": "Keys", "source": {"kafka": {"brokers": "%s", "topics": "keyed"}},
             "destination": {"table": "keyed", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["at"]},
               "columns": [{"name": "key", "type": "Nullable(String)"}, {"name": "at", "type": "DateTime64(3)"}, {"name": "topic", "type": "String"},
                 {"name": "name", "type": "String"}, {"name": "raw", "type": "Nullable(String)"}, {"name": "number", "type": "UInt64"}]},
             "fieldMappings": [{"sourceField": "_key", "destinationField": "key"}, {"sourceField": "_timestamp", "destinationField": "at"},
               {"sourceField": "_topic", "destinationField": "topic"}, {"sourceField": "user.name", "destinationField": "name"},
               {"sourceField": "_raw_message", "destinationField": "raw"}, {"sourceField": "_offset", "destinationField": "number"}],
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(broker.brokers()));
        piped.awaitAnswer(
                "SELECT number, key, topic, name, raw, abs(at - now()) < 300 FROM keyed ORDER BY number FORMAT TSVRaw",
                "0\tk\"1\tkeyed\tAda\t{ \"user\": {\"name\": \"Ada\"} }\t1\n1\t\\N\tkeyed\t\t{}\t1\n2\tgone\tkeyed\t\t\\N\t1");
    }

    @Test
    void messagesOfCsvFillTheColumnsInTheirOrder()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("lines", 1);
        broker.send("lines", 0, "k", """
            7,"Ada, ""first\""",2026-11-23T10:00:00Z,1.5,true,"[""a"",""b""]"
            8,,2026-11-23 10:00:00,,0,[]""");
        broker.send("lines", 0, null, "9,Alan");
        broker.send("lines", 0, null, "nine,Alan,2026-11-23,1,1,[]");
        broker.send("lines", 0, null, "10,\\N,2026-11-23,-2,FALSE,\"[\"\"c\"\"]\"");
        broker.flush();
        piped.create("""
            {"name": "Lines", "source": {"kafka": {"brokers": "%s", "topics": "lines", "format": "CSV"}},
             "destination": {"table": "lines", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "_key", "type": "Nullable(String)"}, {"name": "name", "type": "Nullable(String)"},
                 {"name": "at", "type": "DateTime('UTC')"}, {"name": "price", "type": "Decimal(10, 2)"}, {"name": "ok", "type": "Bool"},
                 {"name": "tags", "type": "Array(LowCardinality(String))"}]},
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(broker.brokers()));
        piped.awaitAnswer("SELECT id, _key, name, at, price, ok, tags FROM lines ORDER BY id FORMAT TSVRaw", """
                7\tk\tAda, "first"\t2026-11-23 10:00:00\t1.5\ttrue\t['a','b']
                8\tk\t\\N\t2026-11-23 10:00:00\t0\tfalse\t[]
                10\t\\N\t\\N\t2026-11-23 00:00:00\t-2\tfalse\t['c']""");
        piped.awaitAnswer(
                "SELECT source, raw_message FROM lines_clickpipes_error ORDER BY source FORMAT TSVRaw",
                "lines:0:1\t9,Alan\nlines:0:2\tnine,Alan,2026-11-23,1,1,[]");
    }

    @Test
    void recordsThatCannotBeReadAreKeptAndHoldUpNobody()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("spoilt", 1);
        send("spoilt", 1, 0, 1500);
        broker.send("spoilt", 0, null, "not json");
        broker.send("spoilt", 0, null, "{\"id\":\"seven\"}");
        broker.send("spoilt", 0, null, "{\"id\":1");
        broker.send("spoilt", 0, null, "[{\"id\":1}]");
        send("spoilt", 1, 1500, 500);
        String pipe = piped.create(broker.pipe("spoilt", "spoilt", ""));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM spoilt", "2000\t2000");
        piped.awaitAnswer(
                "SELECT arrayStringConcat(arraySort(groupArray(source || ' ' || raw_message)), ' ') FROM spoilt_clickpipes_error",
                "spoilt:0:1500 not json spoilt:0:1501 {\"id\":\"seven\"} spoilt:0:1502 {\"id\":1 spoilt:0:1503 [{\"id\":1}]");
        program.await(pipe, body -> body.contains("4 records of spoilt:0 cannot be read"));

        piped.query("ALTER TABLE spoilt ADD CONSTRAINT small CHECK id < 100000");
        send("spoilt", 1, 3000, 500);
        broker.send("spoilt", 0, null, "{\"id\":100000}");
        send("spoilt", 1, 3500, 500);
        broker.flush();
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM spoilt", "3000\t3000");
        piped.awaitAnswer(
                "SELECT source, raw_message FROM spoilt_clickpipes_error WHERE reason LIKE '%`small`%' FORMAT TSVRaw",
                "spoilt:0:2504\t{\"id\":100000}");
    }

    @Test
    void pipeGoesOnWhereItWasWithAnyNumberOfReplicas()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("scaled", 4);
        send("scaled", 4, 0, 100);
        String pipe = piped.create(broker.pipe("scaled", "scaled", ""));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "100\t100");
        piped.awaitState(pipe, "Running");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        send("scaled", 4, 100, 100);
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "200\t200");
        program.patch(pipe + "/scaling", "{\"replicas\":2}");
        send("scaled", 4, 200, 100);
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "300\t300");
        program.patch(pipe + "/scaling", "{\"replicas\":1}");
        send("scaled", 4, 300, 100);
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM scaled", "400\t400");
        piped.awaitState(pipe, "Running");
    }

    @Test
    void pipeMayBeginAtTheEndAndReadsPartitionsThatAreAddedFromTheirBeginning()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("late", 1);
        send("late", 1, 0, 10);
        String pipe = piped.create(broker.pipe("late", "late", ", \"offset\": {\"strategy\": \"from_latest\"}"));
        piped.awaitState(pipe, "Running");
        send("late", 1, 10, 5);
        piped.awaitAnswer("SELECT count(), min(id) FROM late", "5\t10");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        broker.widen("late", 2);
        send("late", 2, 20, 10);
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM late", "15\t15");

        piped.create(broker.pipe(
                "late",
                "timed",
                ", \"offset\": {\"strategy\": \"from_timestamp\", \"timestamp\": \"2026-01-01T00:00\"}"));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM timed", "25\t25");
    }

    private void seek(String pipe, String to) throws IOException, InterruptedException {
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        HttpResponse<String> answer = program.send(program.management(pipe + "/offsets")
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(to)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
    }

    @Test
    void stoppedPipeIsSentElsewhereAndReadsOnFromThere()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        String count = "SELECT count(), uniqExact(id) FROM sought";
        broker.topic("sought", 2);
        send("sought", 2, 0, 10);
        String pipe = piped.create(broker.pipe("sought", "sought", ""));
        piped.awaitAnswer(count, "10\t10");
        program.await(
                pipe + "/offsets",
                body -> body.contains("\"partition\":\"sought:0\",\"offset\":5,\"lag\":0,")
                        && body.contains("\"partition\":\"sought:1\",\"offset\":5,\"lag\":0,"));

        seek(pipe, "{\"to\": \"beginning\"}");
        piped.awaitAnswer(count, "20\t10");
        seek(pipe, "{\"to\": \"offset\", \"offset\": 3, \"partitions\": [\"sought:0\"]}");
        piped.awaitAnswer(count, "22\t10");
        seek(pipe, "{\"to\": \"time\", \"time\": \"2020-01-01T00:00:00Z\", \"partitions\": [\"sought:1\"]}");
        piped.awaitAnswer(count, "27\t10");

        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        send("sought", 2, 10, 4);
        seek(pipe, "{\"to\": \"end\"}");
        piped.awaitState(pipe, "Running");
        send("sought", 2, 14, 2);
        piped.awaitAnswer(count, "29\t12");

        seek(pipe, "{\"to\": \"offset\", \"offset\": 99, \"partitions\": [\"sought:0\"]}");
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("it was sent too far");
        seek(pipe, "{\"to\": \"end\"}");
        piped.awaitState(pipe, "Running");
    }

    @Test
    void pipesLogInWithPasswordsThatNobodySees()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("closed", 1);
        send("closed", 1, 0, 10);
        for (String way : List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")) {
            String table = way.replace("-", "_").toLowerCase(Locale.ROOT);
            String body = broker.pipe("closed", table, login(way, KafkaBroker.PASSWORD))
                    .replace(broker.brokers(), broker.loginBrokers());
            String pipe = piped.create(body);
            piped.awaitAnswer("SELECT count(), uniqExact(id) FROM " + table, "10\t10");
            assertThat(program.getAsFirstKey(pipe).body()).doesNotContain("nobody-shall-see");
        }
        String wrong = piped.create(broker.pipe("closed", "wrong", login("SCRAM-SHA-512", "wrong"))
                .replace(broker.brokers(), broker.loginBrokers()));
        piped.awaitState(wrong, "Failed");
        assertThat(program.getAsFirstKey(wrong).body()).contains("The brokers refuse the credentials");
        assertThat(program.log()).doesNotContain("nobody-shall-see");
    }

    private static String login(String way, String password) {
        return ", \"authentication\": \"" + way + "\", \"credentials\": {\"username\": \"" + KafkaBroker.USER
                + "\", \"password\": \"" + password.replace("\"", "\\\"") + "\"}";
    }

    @Test
    void brokersThatCannotBeFoundMayComeLater() throws IOException, InterruptedException {
        String pipe = piped.create(broker.pipe("any", "away", "").replace(broker.brokers(), "broker.invalid:9092"));
        piped.awaitState(pipe, "Degraded");
        assertThat(program.getAsFirstKey(pipe).body()).contains("The address of no broker can be found.");
    }

    @Test
    void topicThatIsNotThereFailsThePipe() throws IOException, InterruptedException {
        String pipe = piped.create(broker.pipe("nowhere", "nowhere", ""));
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("The brokers have no topic nowhere.");
    }
}
