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
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    private TestProgram program;
    private String created;
    private String service;

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        objects = ObjectServer.start(folder);
        program = local.start(folder.resolve("data"), "--egress", objects.place());
        created = program.createService("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}")
                .body();
        service = program.organizationUrl() + "/services/"
                + TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        program.await(service, body -> body.contains("\"state\":\"running\""));
    }

    @AfterEach
    void stop() {
        program.close();
        objects.close();
    }

    private String create(String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(service + "/clickpipes")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return service + "/clickpipes/" + TestProgram.field(answer.body(), "id");
    }

    private void awaitState(String pipe, String state) throws IOException, InterruptedException {
        program.await(pipe, body -> body.contains("\"state\":\"" + state + "\""));
    }

    private String query(String sql) throws GeneralSecurityException, IOException, InterruptedException {
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder.resolve("data")), created)) {
            return client.query(sql);
        }
    }

    private void awaitAnswer(String sql, String wanted)
            throws GeneralSecurityException, IOException, InterruptedException {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
        String answer = "";
        while (!answer.equals(wanted)) {
            assertThat(Instant.now()).as(answer).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder.resolve("data")), created)) {
                answer = client.send(sql).body().strip();
            }
        }
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

        String pipe = create(objects.pipe("in/*.{json,json.gz}", "events", Map.of()));
        awaitState(pipe, "Completed");
        assertThat(query("SELECT count(), uniqExact(id), min(id), max(id) FROM events"))
                .isEqualTo("300\t300\t0\t399");

        query("SYSTEM FLUSH LOGS");
        assertThat(query("SELECT count() FROM system.query_log WHERE query LIKE '%" + ObjectServer.SECRET + "%'"))
                .isEqualTo("0");
        assertThat(program.log()).doesNotContain(ObjectServer.SECRET);
    }

    @Test
    void storageThatTheOperatorDoesNotNameIsOutOfReachAndThePipeSaysSo() throws IOException, InterruptedException {
        objects.put("a.json", rows(0, 1));
        String pipe =
                create(objects.pipe("a.json", "events", CONTINUOUS).replace("http://127.0.0.1", "http://127.0.0.2"));

        assertThat(program.await(pipe, body -> body.contains("\"state\":\"Degraded\"")))
                .contains("--egress of this server's operator does not name it");
    }

    @Test
    void nestedFieldsAndOtherNamesBecomeColumns() throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("nested.json", "{\"key\":7,\"user\":{\"name\":{\"first\":\"Ada\"}},\"more\":1}\n{\"key\":8}\n");
        String pipe = create(
                objects.pipe("nested.json", "people", Map.of())
                        .replace(
                                "\"settings\"",
                                "\"fieldMappings\": [{\"sourceField\": \"key\", \"destinationField\": \"id\"},"
                                        + " {\"sourceField\": \"user.name.first\", \"destinationField\": \"name\"}], \"settings\""));
        awaitState(pipe, "Completed");
        assertThat(query("SELECT id, '[' || name || ']' FROM people ORDER BY id"))
                .isEqualTo("7\t[Ada]\n8\t[]");
    }

    @Test
    void continuousPipeFindsLateFilesAndKeepsLinesThatItCannotRead()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("b.json", rows(0, 10));
        String pipe = create(objects.pipe("*.json", "events", CONTINUOUS));
        awaitAnswer("SELECT count() FROM events", "10");
        awaitState(pipe, "Running");

        objects.put("a.json", rows(10, 5) + "{\"id\":\"seven\"}\nnot json\n" + rows(15, 5));
        awaitAnswer("SELECT count(), uniqExact(id) FROM events", "20\t20");
        awaitAnswer(
                "SELECT arrayStringConcat(arraySort(groupArray(raw_message)), ' ') FROM events_clickpipes_error",
                "not json {\"id\":\"seven\"}");

        // What is overwritten later was loaded already.
        objects.put("b.json", rows(0, 10));
        objects.put("c.json", rows(20, 1));
        awaitAnswer("SELECT count() FROM events", "21");

        assertThat(program.get(program.running().urls().admin() + "/metrics").body())
                .containsPattern("ClickPipes_SentEvents_Total\\{[^}]*clickpipe_name=\"Files\"[^}]*\\} 21")
                .containsPattern("ClickPipes_Errors_Total\\{[^}]*\\} 2")
                .containsPattern("pilothouse_pipe_workers\\{[^}]*\\} 1");

        program.patch(pipe + "/scaling", "{\"replicas\":3}");
        for (int file = 0; file < 20; file++) {
            objects.put("more-" + file + ".json", rows(100 + file, 1));
        }
        awaitAnswer("SELECT count(), uniqExact(id) FROM events", "41\t41");
        awaitState(pipe, "Running");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        awaitState(pipe, "Stopped");
        objects.put("z.json", rows(500, 1));
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        awaitAnswer("SELECT count(), uniqExact(id) FROM events", "42\t42");
    }

    @Test
    void serviceSleepsUntilAFileComesAndItsWakingNamesThePipe()
            throws GeneralSecurityException, IOException, InterruptedException {
        String pipe = create(objects.pipe("*.json", "events", CONTINUOUS));
        awaitState(pipe, "Running");
        local.advance(Duration.ofMinutes(6));
        program.await(service, body -> {
            local.advance(Duration.ofSeconds(1));
            return body.contains("\"state\":\"idle\"");
        });
        objects.put("a.json", rows(0, 3));
        program.await(service, body -> body.contains("\"state\":\"running\""));
        assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                        .body())
                .contains("service_awaken");
        awaitAnswer("SELECT count() FROM events", "3");
    }

    @Test
    void tableWithOtherColumnsFailsThePipeUntilItFits()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("a.json", rows(0, 3));
        query("CREATE TABLE events (id String) ENGINE = MergeTree ORDER BY id");
        String pipe = create(objects.pipe("*.json", "events", Map.of()));
        awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body())
                .contains("The column id of the table events is String, and the pipe's is UInt64.");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        awaitState(pipe, "Stopped");
        query("DROP TABLE events");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        awaitState(pipe, "Completed");
        assertThat(query("SELECT count() FROM events")).isEqualTo("3");
        program.send(program.management(pipe).DELETE());
        program.await(pipe, body -> body.contains("\"status\":404"));
        assertThat(query("SELECT count() FROM events")).isEqualTo("3");
    }

    @Test
    void bucketThatIsNotThereFailsThePipe() throws IOException, InterruptedException {
        String pipe = create(objects.pipe("*.json", "events", Map.of()).replace("/landing/", "/nowhere/"));
        awaitState(pipe, "Failed");
    }
}
