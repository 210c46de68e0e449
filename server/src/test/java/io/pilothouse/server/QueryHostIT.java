package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL over HTTP for the keys that a query endpoint lists, with a real ClickHouse behind it. */
class QueryHostIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private TestProgram program;
    private String created;
    private String service;
    private QueryClient client;

    @BeforeEach
    void start() throws StartRefused, IOException, InterruptedException {
        program = local.start(folder);
        created = program.createService("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}")
                .body();
        service = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        client = new QueryClient(program, service);
    }

    @AfterEach
    void stop() {
        client.close();
        program.close();
    }

    private String url() throws IOException {
        return program.organizationUrl() + "/services/" + service;
    }

    private void awaitState(String state) throws IOException, InterruptedException {
        program.await(url(), body -> body.contains("\"state\":\"" + state + "\""));
    }

    @Test
    void aListedKeyReadsAndWritesAsItsRoleAllows() throws IOException, InterruptedException {
        HttpResponse<String> unlisted = client.ask("SELECT 1", "TabSeparated");
        assertThat(unlisted.statusCode()).isEqualTo(403);
        client.letIn("sql_console_admin");
        // The service may still be starting: the statement waits for it.
        client.answer("CREATE TABLE t (x UInt64, s String) ENGINE = MergeTree ORDER BY x");
        HttpResponse<String> inserted = client.run("", "INSERT INTO t FORMAT CSV\n1,one\n2,\"two, too\"\n");
        assertThat(inserted.statusCode()).as(inserted.body()).isEqualTo(200);
        HttpResponse<String> rows = client.ask("SELECT x, s FROM t ORDER BY x", "JSONEachRow");
        assertThat(rows.body()).isEqualTo("{\"x\":1,\"s\":\"one\"}\n{\"x\":2,\"s\":\"two, too\"}\n");
        assertThat(rows.headers().firstValue("content-type").orElse("")).contains("ndjson");
        assertThat(client.run(
                                "",
                                "{\"sql\": \"SELECT count() FROM tables WHERE name = 'one'\", \"database\": \"system\"}")
                        .body())
                .isEqualTo("1\n");
        HttpResponse<String> wrong = client.ask("SELECT nothing FROM nowhere", "JSON");
        assertThat(wrong.statusCode()).isBetween(400, 499);
        assertThat(wrong.body()).contains("UNKNOWN_TABLE");
        assertThat(wrong.headers().firstValue("x-clickhouse-exception-code")).isPresent();

        client.letIn("sql_console_read_only");
        assertThat(client.answer("SELECT sum(x) FROM t SETTINGS max_threads = 1"))
                .isEqualTo("3");
        for (String sql : new String[] {
            "INSERT INTO t VALUES (3, 's')",
            "DROP TABLE t",
            "CREATE TABLE u (x UInt8) ENGINE = Memory",
            "SELECT * FROM url('http://127.0.0.1:1/', CSV, 'x String')",
            "SELECT * FROM file('/etc/passwd', LineAsString)",
            "SELECT * FROM remote('127.0.0.1', system.one)",
            "SYSTEM SHUTDOWN",
            "SELECT 1 SETTINGS readonly = 0",
            "GRANT ALL ON *.* TO pilothouse_reader"
        }) {
            HttpResponse<String> refused = client.ask(sql, "TabSeparated");
            assertThat(refused.statusCode()).as(sql + ": " + refused.body()).isBetween(400, 499);
            assertThat(refused.body())
                    .as(sql)
                    .containsAnyOf("ACCESS_DENIED", "READONLY", "readonly", "ACCESS_STORAGE_READONLY");
        }
        assertThat(client.answer("SELECT count() FROM t")).isEqualTo("2");

        program.send(program.management(url() + "/serviceQueryEndpoint").DELETE());
        assertThat(client.ask("SELECT 1", "TabSeparated").statusCode()).isEqualTo(403);
    }

    @Test
    void noClientGetsThroughTheGatewayInTheNameOfItsUsers()
            throws IOException, InterruptedException, GeneralSecurityException {
        client.letIn("sql_console_admin");
        client.answer("SELECT 1");
        try (ServiceClient endpoint = new ServiceClient(LocalProgram.authority(folder), created)) {
            assertThat(endpoint.query("SELECT currentUser()")).isEqualTo("default");
        }
        assertThat(client.answer("SELECT currentUser()")).isEqualTo("pilothouse_admin");
    }

    @Test
    void aSleepingServiceIsWokenOnlyWhenItMayBe() throws IOException, InterruptedException {
        client.letIn("sql_console_admin");
        client.answer("SELECT 1");
        awaitState("running");
        program.await(url(), body -> {
            local.advance(Duration.ofMinutes(1));
            return body.contains("\"state\":\"idle\"");
        });
        HttpResponse<String> asleep = client.ask("SELECT 1", "TabSeparated");
        assertThat(asleep.statusCode()).isEqualTo(206);
        assertThat(asleep.body()).isEqualTo("{\"data\":\"Confirm wake service\"}");
        assertThat(program.getAsFirstKey(url()).body()).contains("\"state\":\"idle\"");
        HttpResponse<String> woken = client.run("", "SELECT 7", "wake-service", "true");
        assertThat(woken.body()).isEqualTo("7\n");
        awaitState("running");
        assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                        .body())
                .contains("\"service_awaken\"");

        program.patch(url() + "/state", "{\"command\":\"stop\"}");
        HttpResponse<String> stopped = client.run("", "SELECT 7", "wake-service", "true");
        assertThat(stopped.statusCode()).isEqualTo(206);
        assertThat(stopped.body()).isEqualTo("{\"data\":\"Service is stopped\"}");
    }

    @Test
    void resultsAreSentAsTheyCome() throws IOException, InterruptedException, GeneralSecurityException {
        client.letIn("sql_console_read_only");
        client.answer("SELECT 1");
        HttpRequest endless = client.request("?format=TabSeparated")
                .POST(HttpRequest.BodyPublishers.ofString("SELECT number FROM system.numbers"))
                .build();
        try (InputStream rows = client.http()
                .send(endless, HttpResponse.BodyHandlers.ofInputStream())
                .body()) {
            assertThat(rows.readNBytes(20_000_000)).hasSize(20_000_000);
        }
        awaitNothingRuns("system.numbers");
    }

    @Test
    void whatNobodyWaitsForIsEnded() throws IOException, InterruptedException, GeneralSecurityException {
        client.letIn("sql_console_admin");
        client.answer("SELECT 1");
        URI url = client.url("");
        String sql = "SELECT sum(sleepEachRow(1)) FROM numbers(1000) SETTINGS max_block_size = 1,"
                + " function_sleep_max_microseconds_per_block = 0";
        String authorization =
                client.request("").build().headers().firstValue("authorization").orElseThrow();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream()
                    .write(String.format(
                                    Locale.ROOT,
                                    "POST %s HTTP/1.1\r\nHost: here\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s",
                                    url.getPath(),
                                    authorization,
                                    sql.length(),
                                    sql)
                            .getBytes(StandardCharsets.US_ASCII));
            awaitRunning("sleepEachRow", "1");
        }
        awaitNothingRuns("sleepEachRow");
    }

    private void awaitNothingRuns(String word) throws IOException, InterruptedException, GeneralSecurityException {
        awaitRunning(word, "0");
    }

    private void awaitRunning(String word, String count)
            throws IOException, InterruptedException, GeneralSecurityException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String sql = "SELECT count() FROM system.processes WHERE query LIKE '%" + word
                + "%' AND query NOT LIKE '%processes%'";
        try (ServiceClient endpoint = new ServiceClient(LocalProgram.authority(folder), created)) {
            while (!endpoint.query(sql).equals(count)) {
                assertThat(Instant.now()).isBefore(deadline);
            }
        }
    }

    @Test
    void theOfficialClientAsks() throws IOException, InterruptedException {
        OfficialClient official = OfficialClient.in(folder.resolve("home"));
        client.letIn("sql_console_admin");
        Map<String, String> variables = Map.of(
                "CLICKHOUSE_CLOUD_QUERY_HOST", program.running().urls().query(),
                "BASE", program.credential("base_url"),
                "KEY", program.credential("key_id"),
                "SECRET", program.credential("key_secret"),
                "SERVICE", service);
        String cloud = "cloud() { clickhousectl cloud --url $BASE --api-key $KEY --api-secret $SECRET \"$@\"; };\n";
        // Its own key is not listed: it asks who it is, lists itself, and asks again.
        ToolRun answer = official.shell(
                cloud + "cloud service query $SERVICE --query 'SELECT 6 * 7 AS answer' --format CSV", variables);
        assertThat(answer.output()).as(answer.printed()).contains("42");
        ToolRun wrong = official.shell(cloud + "cloud service query $SERVICE --query 'SELECT nothing'", variables);
        assertThat(wrong.code()).isNotZero();
        assertThat(wrong.printed()).contains("UNKNOWN_IDENTIFIER");
    }

    @Test
    void aPageOfAnAllowedOriginMayAsk() throws IOException, InterruptedException {
        client.letIn("sql_console_read_only");
        for (String origin : new String[] {"https://app.example.org", "https://other.example.org"}) {
            HttpResponse<String> preflight = client.http()
                    .send(
                            HttpRequest.newBuilder(client.url(""))
                                    .header("Origin", origin)
                                    .header("Access-Control-Request-Method", "POST")
                                    .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(preflight.statusCode()).isEqualTo(204);
            HttpResponse<String> asked = client.run("", "SELECT 1", "Origin", origin);
            for (HttpResponse<String> answer : List.of(preflight, asked)) {
                assertThat(answer.headers()
                                .firstValue("access-control-allow-origin")
                                .isPresent())
                        .isEqualTo(origin.contains("app"));
            }
        }
    }
}
