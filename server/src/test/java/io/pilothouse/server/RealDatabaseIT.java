package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service through its API and its own endpoint, with a real ClickHouse behind it. */
class RealDatabaseIT {
    private static final String FROM_HERE = "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}";

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private TestProgram program;

    @BeforeEach
    void start() throws StartRefused {
        program = local.start(folder);
    }

    @AfterEach
    void stop() {
        program.close();
    }

    private String create(String body) throws IOException, InterruptedException {
        HttpResponse<String> created = program.createService(body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        return created.body();
    }

    private static String id(String created) {
        return TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
    }

    private String url(String created) throws IOException {
        return program.organizationUrl() + "/services/" + id(created);
    }

    private String awaitState(String created, String state) throws IOException, InterruptedException {
        return program.await(url(created), body -> body.contains("\"state\":\"" + state + "\""));
    }

    private ServiceClient client(String created) throws Exception {
        return new ServiceClient(LocalProgram.authority(folder), created);
    }

    @Test
    void createdServiceIsADatabaseFromItsFirstAnswerToItsDeletion() throws Exception {
        String created = create(FROM_HERE);
        try (ServiceClient client = client(created);
                ServiceClient stranger = new ServiceClient(LocalProgram.authority(folder), created, "a guess")) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t SELECT number FROM numbers(1000)");
            assertThat(client.query("SELECT sum(x) FROM t")).isEqualTo("499500");
            assertThat(stranger.send("SELECT 1").statusCode()).isEqualTo(401);
            assertThat(awaitState(created, "running"))
                    .contains("\"dbVersion\":\"" + client.query("SELECT version()") + "\"");

            program.patch(url(created) + "/state", "{\"command\":\"stop\"}");
            awaitState(created, "stopped");
            assertThat(client.send("SELECT 1").statusCode()).isEqualTo(503);
            assertThat(client.send("SELECT 1").body()).isEqualTo("The service is stopped.\n");

            program.patch(url(created) + "/state", "{\"command\":\"start\"}");
            assertThat(client.query("SELECT sum(x) FROM t")).isEqualTo("499500");

            program.patch(url(created) + "/state", "{\"command\":\"stop\"}");
            awaitState(created, "stopped");
            assertThat(program.send(program.management(url(created)).DELETE()).statusCode())
                    .isEqualTo(200);
            program.await(url(created), body -> body.contains("\"status\":404"));
            assertThatIOException()
                    .isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), client.port()).close());
        }
        assertThat(names("services")).containsExactly(".lock");
    }

    @Test
    void aPipeBesideARealDatabaseSaysThatNothingReadsItsSource() throws IOException, InterruptedException {
        String service = url(create(FROM_HERE));
        program.await(service, body -> body.contains("\"state\":\"running\""));
        HttpResponse<String> made = program.send(program.management(service + "/clickpipes")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"name": "Users", "destination": {"database": "default"}, "source": {"mysql": {"host": "db.example.org",
                         "credentials": {"username": "reader", "password": "secret"}, "tableMappings": [
                         {"sourceSchemaName": "shop", "sourceTable": "users", "targetTable": "users"}]}}}""")));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String pipe = service + "/clickpipes/" + TestProgram.field(made.body(), "id");
        assertThat(program.await(pipe, body -> body.contains("\"state\":\"Failed\"")))
                .contains("\"stateReason\":\"No worker of this server reads from MySQL\"");
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        program.await(pipe, body -> body.contains("\"state\":\"Paused\""));
    }

    @Test
    void onlyWhatTheDatabaseSpeaksIsOffered() throws IOException, InterruptedException {
        String on = "{\"endpoints\":[{\"protocol\":\"mysql\",\"enabled\":true}]}";
        HttpResponse<String> refused = program.createService(on);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("endpoints[0].protocol", "is not spoken by the ClickHouse of this service");

        String created = create("{}");
        assertThat(created).contains("\"protocol\":\"https\"").doesNotContain("nativesecure");
        assertThat(awaitState(created, "running"))
                .contains("\"protocol\":\"https\"")
                .doesNotContain("nativesecure");
        HttpResponse<String> switched = program.send(program.management(url(created))
                .header("Content-Type", "application/json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(on)));
        assertThat(switched.statusCode()).isEqualTo(400);
    }

    private Stream<String> names(String below) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(below))) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void accessListIsEffectiveSoonAndClosesWhatItNoLongerAllows() throws Exception {
        String created = create("{\"ipAccessList\":[{\"source\":\"10.0.0.0/8\"}]}");
        awaitState(created, "running");
        try (ServiceClient client = client(created)) {
            assertThatIOException().isThrownBy(() -> client.send("SELECT 1"));
            program.patch(url(created), "{\"ipAccessList\":{\"add\":[{\"source\":\"127.0.0.1\"}]}}");
            Instant changed = Instant.now();
            String answer = "";
            while (answer.isEmpty()) {
                answer = tried(client);
                assertThat(Duration.between(changed, Instant.now())).isLessThan(Duration.ofSeconds(10));
            }
            assertThat(answer).isEqualTo("1");

            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), client.port())) {
                open.setSoTimeout(10_000);
                program.patch(url(created), "{\"ipAccessList\":{\"remove\":[{\"source\":\"127.0.0.1\"}]}}");
                assertThat(open.getInputStream().read()).isEqualTo(-1);
            }
            assertThatIOException().isThrownBy(() -> client.send("SELECT 1"));
        }
    }

    private static String tried(ServiceClient client) throws InterruptedException {
        try {
            return client.query("SELECT 1");
        } catch (IOException refused) {
            return "";
        }
    }

    @Test
    void unusedServiceFallsAsleepAndIsWokenByTheNextClient() throws Exception {
        String created = create("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}");
        try (ServiceClient client = client(created)) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t VALUES (7)");
            awaitState(created, "running");
        }
        local.advance(Duration.ofMinutes(4));
        program.getAsFirstKey(url(created));
        local.advance(Duration.ofMinutes(2));
        // The gateway may have seen the client leave only now.
        program.await(url(created), body -> {
            local.advance(Duration.ofSeconds(1));
            return body.contains("\"state\":\"idle\"");
        });
        assertThat(names("services/" + id(created))).doesNotContain("process");

        // Neither looking at it nor knocking without a word is use.
        program.get(program.running().urls().admin() + "/metrics");
        try (ServiceClient client = client(created)) {
            new Socket(InetAddress.getLoopbackAddress(), client.port()).close();
            assertThat(awaitState(created, "idle")).contains("idle");
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            awaitState(created, "running");
        }
        assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                        .body())
                .contains("\"service_idle\"", "\"service_awaken\"");
    }

    @Test
    void backupIsRestoredIntoANewServiceEvenAfterItsOwnIsDeleted() throws Exception {
        String first = create(FROM_HERE);
        try (ServiceClient client = client(first)) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t SELECT number FROM numbers(1000)");
        }
        awaitState(first, "running");
        HttpResponse<String> begun =
                program.send(program.management(url(first) + "/backups").POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
        String backup = TestProgram.field(begun.body(), "id");
        program.await(url(first) + "/backups/" + backup, body -> body.contains("\"status\":\"done\""));
        program.patch(url(first) + "/state", "{\"command\":\"stop\"}");
        awaitState(first, "stopped");
        program.send(program.management(url(first)).DELETE());
        program.await(url(first), body -> body.contains("\"status\":404"));

        String second = create("{\"backupId\":\"" + backup + "\"," + FROM_HERE.substring(1));
        // It is let in only once all is there.
        try (ServiceClient client = client(second)) {
            assertThat(client.query("SELECT sum(x) FROM t")).isEqualTo("499500");
        }
        awaitState(second, "running");
    }

    @Test
    void newPasswordAndNewSizeReachTheDatabase() throws Exception {
        String created = create(FROM_HERE);
        try (ServiceClient old = client(created)) {
            old.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            awaitState(created, "running");
            String answer = program.patch(url(created) + "/password", "{}");
            program.patch(url(created) + "/replicaScaling", "{\"minReplicaMemoryGb\":8,\"maxReplicaMemoryGb\":16}");
            try (ServiceClient client =
                    new ServiceClient(LocalProgram.authority(folder), created, TestProgram.field(answer, "password"))) {
                String limit = "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'";
                Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
                while (!client.send(limit).body().strip().equals(Long.toString(16L << 30))) {
                    assertThat(Instant.now()).isBefore(deadline);
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                assertThat(client.query("SELECT count() FROM t")).isEqualTo("0");
            }
            assertThat(old.send("SELECT 1").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void databaseThatIsKilledComesBackByItselfWithItsData() throws Exception {
        String created = create(FROM_HERE);
        try (ServiceClient client = client(created)) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t VALUES (7)");
            awaitState(created, "running");
            long before = pid(created);
            ProcessHandle.of(before).orElseThrow().destroyForcibly();
            Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
            while (pid(created) == before || pid(created) < 0) {
                assertThat(Instant.now()).isBefore(deadline);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
        }
    }

    /** The process of its database; -1 while there is none. */
    private long pid(String created) throws IOException {
        Path mark = folder.resolve("services").resolve(id(created)).resolve("process");
        return Files.exists(mark) ? LocalProgram.pid(mark) : -1;
    }
}
