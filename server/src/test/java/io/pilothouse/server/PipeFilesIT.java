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
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipes from a real S3 server into a real ClickHouse. */
class PipeFilesIT {
    private static final Map<String, String> CONTINUOUS = Map.of("isContinuous", "true");

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private ObjectServer objects;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        objects = ObjectServer.start(folder);
        piped = new PipedProgram(local, folder, "--egress", objects.place());
        program = piped.program();
    }

    @AfterEach
    void stop() {
        piped.close();
        objects.close();
    }

    private static String rows(int from, int count) {
        StringBuilder rows = new StringBuilder();
        for (int id = from; id < from + count; id++) {
            rows.append("{\"id\":")
                    .append(id)
                    .append(",\"name\":\"n")
                    .append(id)
                    .append("\"}\n");
        }
        return rows.toString();
    }

    @Test
    void filesOfAPatternAreLoadedAndThePipeCompletes()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("in/1.json", rows(0, 100));
        objects.put("in/2 ü+.json", rows(100, 100));
        objects.put("in/deep/3.json", rows(200, 100));
        objects.put("in/4.csv", "not,for,this,pipe");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(rows(300, 100).getBytes(StandardCharsets.UTF_8));
        }
        objects.put("in/5.json.gz", packed.toByteArray());

        String pipe = piped.create(objects.pipe("in/*.{json,json.gz}", "events", Map.of()));
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT count(), uniqExact(id), min(id), max(id) FROM events"))
                .isEqualTo("300\t300\t0\t399");

        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT count() FROM system.query_log WHERE query LIKE '%" + ObjectServer.SECRET + "%'"))
                .isEqualTo("0");
        assertThat(program.log()).doesNotContain(ObjectServer.SECRET);
    }

    @Test
    void storageThatTheOperatorDoesNotNameIsOutOfReachAndThePipeSaysSo()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("a.json", rows(0, 1));
        String pipe = piped.create(
                objects.pipe("a.json", "events", CONTINUOUS).replace("http://127.0.0.1", "http://127.0.0.2"));

        assertThat(program.await(pipe, body -> body.contains("\"state\":\"Degraded\"")))
                .contains("--egress of this server's operator does not name it");
        piped.awaitAnswer(
                "SELECT pipe, name, source, abs(_timestamp - now()) < 300 FROM clickpipes.clickpipes_log"
                        + " WHERE message LIKE '%--egress of this server%' LIMIT 1",
                pipe.substring(pipe.lastIndexOf('/') + 1) + "\tFiles\tobjectStorage\t1");
        assertThat(program.get(program.running().urls().admin() + "/readyz").body())
                .containsPattern("\"pipeLimits\":\"(hold|only the Java of a worker)");
    }

    @Test
    void nestedFieldsAndOtherNamesBecomeColumns() throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("nested.json", "{\"key\":7,\"user\":{\"name\":{\"first\":\"Ada\"}},\"more\":1}\n{\"key\":8}\n");
        String pipe = piped.create(
                objects.pipe("nested.json", "people", Map.of())
                        .replace(
                                "\"settings\"",
                                "\"fieldMappings\": [{\"sourceField\": \"key\", \"destinationField\": \"id\"},"
                                        + " {\"sourceField\": \"user.name.first\", \"destinationField\": \"name\"}], \"settings\""));
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT id, '[' || name || ']' FROM people ORDER BY id"))
                .isEqualTo("7\t[Ada]\n8\t[]");
    }

    @Test
    void continuousPipeFindsLateFilesAndKeepsLinesThatItCannotRead()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("b.json", rows(0, 10));
        String pipe = piped.create(objects.pipe("*.json", "events", CONTINUOUS));
        piped.awaitAnswer("SELECT count() FROM events", "10");
        piped.awaitState(pipe, "Running");

        objects.put("a.json", rows(10, 5) + "{\"id\":\"seven\"}\nnot json\n" + rows(15, 5));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", "20\t20");
        piped.awaitAnswer(
                "SELECT arrayStringConcat(arraySort(groupArray(raw_message)), ' ') FROM events_clickpipes_error",
                "not json {\"id\":\"seven\"}");

        // What is overwritten later was loaded already.
        objects.put("b.json", rows(0, 10));
        objects.put("c.json", rows(20, 1));
        piped.awaitAnswer("SELECT count() FROM events", "21");

        assertThat(program.get(program.running().urls().admin() + "/metrics").body())
                .containsPattern("ClickPipes_SentEvents_Total\\{[^}]*clickpipe_name=\"Files\"[^}]*\\} 21")
                .containsPattern("ClickPipes_Errors_Total\\{[^}]*\\} 2")
                .containsPattern("pilothouse_pipe_workers\\{[^}]*\\} 1");

        program.patch(pipe + "/scaling", "{\"replicas\":3}");
        for (int file = 0; file < 20; file++) {
            objects.put("more-" + file + ".json", rows(100 + file, 1));
        }
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", "41\t41");
        piped.awaitState(pipe, "Running");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        objects.put("z.json", rows(500, 1));
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", "42\t42");
    }

    @Test
    void fileOfManyBlocksIsLoadedAsAWholeOrNotAtAll()
            throws GeneralSecurityException, IOException, InterruptedException {
        piped.query("INSERT INTO FUNCTION s3('" + objects.url("in/1.parquet") + "', '" + ObjectServer.KEY_ID + "', '"
                + ObjectServer.SECRET + "', 'Parquet') SELECT number AS id, toString(number) AS name"
                + " FROM numbers(2500000)");
        Map<String, String> parquet = Map.of("format", "\"Parquet\"");
        piped.awaitState(piped.create(objects.pipe("in/*.parquet", "all", parquet)), "Completed");
        assertThat(piped.query("SELECT count(), uniqExact(id), max(id) FROM all"))
                .isEqualTo("2500000\t2500000\t2499999");

        // Only the last block has what the table is against.
        piped.query("CREATE TABLE few (id UInt64, name String, CONSTRAINT small CHECK id < 2499999)"
                + " ENGINE = MergeTree ORDER BY id PARTITION BY id % 3");
        piped.awaitState(piped.create(objects.pipe("in/*.parquet", "few", parquet)), "Completed");
        assertThat(piped.query("SELECT count() FROM few")).isEqualTo("0");
        assertThat(piped.query("SELECT source, position(reason, 'small') > 0 FROM few_clickpipes_error"))
                .isEqualTo("landing/in/1.parquet\t1");
        assertThat(piped.query("SELECT count() FROM system.tables WHERE database = 'clickpipes_staged'"))
                .isEqualTo("0");
    }

    @Test
    void serviceSleepsUntilAFileComesAndItsWakingNamesThePipe()
            throws GeneralSecurityException, IOException, InterruptedException {
        String pipe = piped.create(objects.pipe("*.json", "events", CONTINUOUS));
        piped.awaitState(pipe, "Running");
        local.advance(Duration.ofMinutes(6));
        program.await(piped.service(), body -> {
            local.advance(Duration.ofSeconds(1));
            return body.contains("\"state\":\"idle\"");
        });
        objects.put("a.json", rows(0, 3));
        program.await(piped.service(), body -> body.contains("\"state\":\"running\""));
        assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                        .body())
                .contains("service_awaken");
        piped.awaitAnswer("SELECT count() FROM events", "3");
    }

    @Test
    void tableWithOtherColumnsFailsThePipeUntilItFits()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("a.json", rows(0, 3));
        String events = objects.pipe("*.json", "events", Map.of());
        String pipe = piped.create(events.replaceFirst("\\{", "{\"startPaused\": true, "));
        piped.query("CREATE TABLE events (id String) ENGINE = MergeTree ORDER BY id");
        assertThat(notMade(events)).contains("The column id of the table events is String, and the pipe's is UInt64.");
        assertThat(notMade(events.replaceAll(
                                "\"managedTable\": true,\\s+\"tableDefinition\".*", "\"managedTable\": false,")
                        .replace("\"events\"", "\"nowhere\"")))
                .contains("The table nowhere does not exist, and the pipe does not make it.");
        assertThat(notMade(events.replace("UInt64", "Uint46").replace("\"events\"", "\"other\"")))
                .contains("Uint46");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body())
                .contains("The column id of the table events is String, and the pipe's is UInt64.");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        piped.awaitState(pipe, "Stopped");
        piped.query("DROP TABLE events");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT count() FROM events")).isEqualTo("3");
        assertThat(notMade(events)).contains("The table events exists and is not empty.");
        program.send(program.management(pipe).DELETE());
        program.await(pipe, body -> body.contains("\"status\":404"));
        assertThat(piped.query("SELECT count() FROM events")).isEqualTo("3");
    }

    private String notMade(String pipe) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(piped.service() + "/clickpipes")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(pipe)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        return answer.body();
    }

    @Test
    void bucketThatIsNotThereFailsThePipe() throws IOException, InterruptedException {
        String pipe = piped.create(objects.pipe("*.json", "events", Map.of()).replace("/landing/", "/nowhere/"));
        piped.awaitState(pipe, "Failed");
    }
}
