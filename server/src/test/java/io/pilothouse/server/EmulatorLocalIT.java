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
