package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controls of the emulator over services that have a real ClickHouse behind them. */
class EmulatorLocalIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private TestProgram program;

    @BeforeEach
    void start() throws StartRefused {
        program = local.start(folder, "--emulator");
    }

    @AfterEach
    void stop() {
        program.close();
    }

    private HttpResponse<String> control(String method, String path, String body)
            throws IOException, InterruptedException {
        return program.send(program.management(program.credential("base_url") + "/_pilothouse" + path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> as(String key, String method, String path, String body)
            throws IOException, InterruptedException {
        return program.send(HttpRequest.newBuilder(URI.create(program.credential("base_url") + path))
                .timeout(PATIENCE)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private void awaitAs(String key, String path, String wanted) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String body = as(key, "GET", path, "").body();
        while (!body.contains(wanted)) {
            assertThat(Instant.now()).as(body).isBefore(deadline);
            body = as(key, "GET", path, "").body();
        }
    }

    /** Everything in the data folder that has this in its name. */
    private List<Path> named(String part) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> String.valueOf(path.getFileName()).contains(part))
                    .toList();
        } catch (IOException | UncheckedIOException changing) {
            return List.of(folder);
        }
    }

    @Test
    void databasesAndBackupsOfAnErasedOrganizationAreRemovedEvenOverARestart()
            throws IOException, InterruptedException, StartRefused {
        String made = control("POST", "/organizations", "{}").body();
        String id = TestProgram.field(made, "id");
        String key = TestProgram.field(made, "keyId") + ":" + TestProgram.field(made, "keySecret");
        String services = "/v1/organizations/" + id + "/services";
        String created = as(key, "POST", services, "{}").body();
        String service = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        awaitAs(key, services + "/" + service, "\"state\":\"running\"");
        String backup = TestProgram.field(
                as(key, "POST", services + "/" + service + "/backups", "{}").body(), "id");
        awaitAs(key, services + "/" + service + "/backups/" + backup, "\"status\":\"done\"");
        assertThat(named(backup)).isNotEmpty();

        String erased = control("DELETE", "/organizations/" + id, "").body();
        assertThat(erased).contains("\"erased\":false", "\"left\":2");
        assertThat(as(key, "GET", services, "").statusCode()).isEqualTo(401);
        program.close();
        start();
        Instant deadline = Instant.now().plus(PATIENCE);
        while (control("GET", "/organizations", "").body().contains(id)) {
            assertThat(Instant.now()).as("the end of the erasure").isBefore(deadline);
        }
        assertThat(named(backup)).isEmpty();
        assertThat(folder.resolve("services").resolve(service)).doesNotExist();
        assertThat(control("DELETE", "/organizations/" + id, "").statusCode()).isEqualTo(404);
    }

    @Test
    void aSnapshotHasTheDataOfItsDatabasesAndTheirBackups()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        String made = control("POST", "/organizations", "{}").body();
        String id = TestProgram.field(made, "id");
        String key = TestProgram.field(made, "keyId") + ":" + TestProgram.field(made, "keySecret");
        String services = "/v1/organizations/" + id + "/services";
        String created = as(key, "POST", services, "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}")
                .body();
        String password = TestProgram.field(created, "password");
        String service = services + "/" + TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        awaitAs(key, service, "\"state\":\"running\"");
        assertThat(sql(created, password, "CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n"))
                .isEmpty();
        sql(created, password, "INSERT INTO kept VALUES (1)");
        String backup =
                TestProgram.field(as(key, "POST", service + "/backups", "{}").body(), "id");
        awaitAs(key, service + "/backups/" + backup, "\"status\":\"done\"");
        assertThat(control("POST", "/snapshots/then", "{\"organizationId\":\"" + id + "\"}")
                        .body())
                .containsPattern("\"dataBytes\": ?[1-9]");

        assertThat(sql(created, password, "SELECT n FROM kept"))
                .as("what is there after the snapshot")
                .isEqualTo("1");
        sql(created, password, "INSERT INTO kept VALUES (2)");
        as(key, "DELETE", service + "/backups/" + backup, "");
        String later = as(key, "POST", services, "{}").body();
        String second = TestProgram.field(later.substring(later.indexOf("\"service\"")), "id");
        awaitAs(key, services + "/" + second, "\"state\":\"running\"");
        program.close();
        start();

        assertThat(control("POST", "/snapshots/then/return", "{}").statusCode()).isEqualTo(200);
        assertThat(as(key, "GET", services + "/" + second, "").statusCode()).isEqualTo(404);
        assertThat(folder.resolve("services").resolve(second)).doesNotExist();
        assertThat(sql(created, password, "SELECT n FROM kept")).isEqualTo("1");
        awaitAs(key, service + "/backups/" + backup, "\"status\":\"done\"");
        assertThat(named(backup + ".tar.gz")).hasSize(2);

        sql(created, password, "INSERT INTO kept VALUES (3)");
        String forked =
                control("POST", "/snapshots/then/fork", "{\"name\":\"Copy\"}").body();
        String forkKey = TestProgram.field(forked, "keyId") + ":" + TestProgram.field(forked, "keySecret");
        String forkServices = "/v1/organizations/" + TestProgram.field(forked, "id") + "/services";
        String copy = forkServices + "/"
                + TestProgram.field(as(forkKey, "GET", forkServices, "").body(), "id");
        awaitAs(forkKey, copy, "\"state\":\"running\"");
        String shown = as(forkKey, "GET", copy, "").body();
        assertThat(sql(shown, password, "SELECT n FROM kept")).isEqualTo("1");
        sql(shown, password, "INSERT INTO kept VALUES (4)");
        assertThat(sql(created, password, "SELECT n FROM kept ORDER BY n")).isEqualTo("1\n3");
        assertThat(named(TestProgram.field(
                                as(forkKey, "GET", copy + "/backups", "").body(), "id") + ".tar.gz"))
                .hasSize(1);

        assertThat(control("DELETE", "/snapshots/then", "").statusCode()).isEqualTo(200);
        assertThat(named("then.")).isEmpty();
        assertThat(named(".copies-")).isEmpty();
    }

    /** A client whose database is being started waits for it. */
    private String sql(String shown, String password, String sql)
            throws GeneralSecurityException, IOException, InterruptedException {
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder), shown, password)) {
            return client.query(sql);
        }
    }

    @Test
    void anUnusedDatabaseSleepsOnceTimeIsMovedOn() throws IOException, InterruptedException {
        String created = program.createService("{\"idleScaling\": true, \"idleTimeoutMinutes\": 60}")
                .body();
        String service = program.organizationUrl() + "/services/"
                + TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        program.await(service, body -> body.contains("\"state\":\"running\""));
        control("PUT", "/clock", "{\"forwardSeconds\": 7200}");
        program.await(service, body -> body.contains("\"state\":\"idle\""));
    }
}
