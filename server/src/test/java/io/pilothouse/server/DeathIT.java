package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The built program is ended in the middle of its work, and what a service holds is there afterwards. */
class DeathIT {
    @TempDir
    private Path folder;

    private final ProcessTable processes = new ProcessTable();
    private String created = "";

    private ChildProgram up(String... more) throws IOException, StartRefused {
        String[] flags = LocalProgram.flags();
        String[] all = new String[flags.length + more.length];
        System.arraycopy(flags, 0, all, 0, flags.length);
        System.arraycopy(more, 0, all, flags.length, more.length);
        return ChildProgram.up(folder, all);
    }

    private String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(folder.resolve("data/credentials.json")), name);
    }

    private ServiceClient createService() throws Exception {
        String pair = credential("key_id") + ":" + credential("key_secret");
        try (HttpClient client = HttpClient.newHttpClient()) {
            created = client.send(
                            HttpRequest.newBuilder(URI.create(credential("base_url") + "/v1/organizations/"
                                            + credential("organization_id") + "/services"))
                                    .timeout(Duration.ofSeconds(30))
                                    .header(
                                            "Authorization",
                                            "Basic "
                                                    + Base64.getEncoder()
                                                            .encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
        return client();
    }

    private ServiceClient client() throws Exception {
        return new ServiceClient(LocalProgram.authority(folder.resolve("data")), created);
    }

    private ProcessHandle database() throws IOException {
        String id = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        Path mark = folder.resolve("data/services").resolve(id).resolve("process");
        return ProcessHandle.of(LocalProgram.pid(mark)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedControlPlaneComesBackToTheSameDatabasesAtTheSamePorts(boolean databaseToo) throws Exception {
        ProcessHandle database;
        try (ChildProgram first = up()) {
            try (ServiceClient client = createService()) {
                client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
                client.query("INSERT INTO t VALUES (7)");
            }
            database = database();
            first.process().destroyForcibly().waitFor();
            if (databaseToo) {
                database.destroyForcibly();
            }
        }
        try (ChildProgram second = up();
                ServiceClient client = client()) {
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            assertThat(second.printedUntil("ca_file")).contains("up again");
            assertThat(processes.isAlive(database)).isFalse();
            ProcessHandle latest = database();
            second.signal("TERM");
            assertThat(second.exitCode()).isEqualTo(143);
            assertThat(processes.isAlive(latest)).isFalse();
        }
    }

    @Test
    void keptDatabaseOutlivesTheControlPlaneAndIsTakenOver() throws Exception {
        ProcessHandle database;
        try (ChildProgram first = up("--keep-services")) {
            try (ServiceClient client = createService()) {
                client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
                client.query("INSERT INTO t VALUES (7)");
            }
            first.signal("TERM");
            assertThat(first.exitCode()).isEqualTo(143);
        }
        database = database();
        assertThat(processes.isAlive(database)).isTrue();
        try (ChildProgram second = up();
                ServiceClient client = client()) {
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            assertThat(database()).isEqualTo(database);
            second.signal("TERM");
            assertThat(second.exitCode()).isEqualTo(143);
            assertThat(second.errors()).doesNotContain("cannot be ended").endsWith("message=Stopped\n");
        }
        processes.onExit(database).get(10, TimeUnit.SECONDS);
    }
}
