package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.server.metrics.StoreMeter;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WiringTest {
    private static final Map<String, String> FIRST_START = Map.of(
            "PILOTHOUSE_BOOTSTRAP_KEY_ID", "k".repeat(20),
            "PILOTHOUSE_BOOTSTRAP_KEY_SECRET", "s".repeat(48),
            "PILOTHOUSE_BOOTSTRAP_ALERTS_TOKEN", "t".repeat(40),
            "PILOTHOUSE_BOOTSTRAP_ORGANIZATION_ID", "0d5c36aa-3a8a-4cf3-9e6f-4d2b8a1f0c11");

    @TempDir
    private Path folder;

    @Test
    void theFirstStartGivesCredentialsThatWork() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder)) {
            HttpResponse<String> organization = program.getAsFirstKey(program.organizationUrl());
            assertThat(organization.statusCode()).isEqualTo(200);
            assertThat(organization.body()).contains("\"tier\":\"ENTERPRISE\"");
            HttpResponse<String> alerts =
                    program.send(HttpRequest.newBuilder(URI.create(program.credential("alerts_url") + "/api/v2/alerts"))
                            .header("Authorization", "Bearer " + program.credential("token")));
            assertThat(alerts.statusCode()).isEqualTo(200);
            assertThat(alerts.body()).contains("A service is failed or degraded", "\"state\":\"inactive\"");
        }
    }

    @Test
    void theFirstWelcomeShowsEverythingThatCredentialsJsonHolds() throws Exception {
        try (TestProgram program = TestProgram.start(folder)) {
            for (String name : List.of("base_url", "alerts_url", "organization_id", "key_id", "key_secret", "token")) {
                assertThat(program.running().welcome()).containsPattern(name + " +" + program.credential(name) + "\n");
            }
            assertThat(program.running().toString()).doesNotContain(program.credential("key_secret"));
        }
    }

    @Test
    void aSecondStartFindsEverythingAgainAndShowsNoSecret() throws IOException, InterruptedException, StartRefused {
        String created;
        String secret;
        String organization;
        try (TestProgram program = TestProgram.start(folder)) {
            created = TestProgram.field(
                    program.createService("{\"name\":\"Kept\"}").body(), "id");
            secret = program.credential("key_secret");
            organization = program.credential("organization_id");
        }
        try (TestProgram program = TestProgram.start(folder)) {
            assertThat(program.credential("base_url"))
                    .isEqualTo(program.running().urls().base());
            assertThat(program.credential("alerts_url"))
                    .isEqualTo(program.running().urls().alerts());
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services/" + created)
                            .body())
                    .contains("\"name\":\"Kept\"");
            assertThat(program.running().welcome())
                    .contains(organization, program.running().urls().base(), folder.resolve("credentials.json") + "")
                    .doesNotContain(secret);
        }
    }

    @Test
    void aLaterStartDoesNotMissACredentialsFileThatWasPutAway() throws Exception {
        TestProgram.start(folder).close();
        Files.delete(folder.resolve("credentials.json"));
        try (TestProgram program = TestProgram.start(folder)) {
            assertThat(program.running().welcome()).contains("is gone");
            assertThat(folder.resolve("credentials.json")).doesNotExist();
        }
    }

    @Test
    void aServiceIsProvisionedInTheTimeThatWasSet() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder)) {
            HttpResponse<String> created = program.createService("{}");
            assertThat(created.body()).contains("\"state\":\"provisioning\"");
            String url = program.organizationUrl() + "/services/" + TestProgram.field(created.body(), "id");
            assertThat(program.await(url, body -> body.contains("\"state\":\"running\"")))
                    .contains("\"dbVersion\":");
        }
    }

    @Test
    void settingsReachThePartsThatTheyAreFor() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(
                folder,
                "--rules",
                "cloud",
                "--default-provider",
                "gcp",
                "--default-region-gcp",
                "europe-west2",
                "--service-domain",
                "db.example.com")) {
            assertThat(program.createService("{\"name\":\"with-hyphen\",\"numReplicas\":1}")
                            .body())
                    .contains("\"provider\":\"gcp\"", "\"region\":\"europe-west2\"", ".db.example.com\"");
            assertThat(program.get(program.running().urls().admin() + "/readyz").body())
                    .contains("\"edition\":\"cloud\"");
        }
    }

    @Test
    void theEnvironmentMaySetTheFirstCredentials() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder, FIRST_START)) {
            assertThat(program.credential("key_id")).isEqualTo("k".repeat(20));
            assertThat(program.credential("key_secret")).isEqualTo("s".repeat(48));
            assertThat(program.credential("token")).isEqualTo("t".repeat(40));
            assertThat(program.getAsFirstKey(program.organizationUrl()).body())
                    .contains("0d5c36aa-3a8a-4cf3-9e6f-4d2b8a1f0c11");
            assertThat(program.running().ignoredVariables()).isEmpty();
        }
        try (TestProgram program = TestProgram.start(folder, FIRST_START)) {
            assertThat(program.running().ignoredVariables()).isEmpty();
        }
    }

    @Test
    void firstCredentialsThatALaterStartIsGivenChangeNothingAndAreNamed()
            throws IOException, InterruptedException, StartRefused {
        TestProgram.start(folder).close();
        try (TestProgram program = TestProgram.start(folder, FIRST_START)) {
            assertThat(program.running().ignoredVariables())
                    .containsExactly(
                            "PILOTHOUSE_BOOTSTRAP_KEY_ID",
                            "PILOTHOUSE_BOOTSTRAP_ALERTS_TOKEN",
                            "PILOTHOUSE_BOOTSTRAP_ORGANIZATION_ID");
            assertThat(program.getAsFirstKey(program.organizationUrl()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void theSameKeyIdWithAnotherSecretIsAnotherKey() throws Exception {
        TestProgram.start(folder, FIRST_START).close();
        Map<String, String> other = Map.of(
                "PILOTHOUSE_BOOTSTRAP_KEY_ID", "k".repeat(20), "PILOTHOUSE_BOOTSTRAP_KEY_SECRET", "x".repeat(48));
        try (TestProgram program = TestProgram.start(folder, other)) {
            assertThat(program.running().ignoredVariables()).containsExactly("PILOTHOUSE_BOOTSTRAP_KEY_ID");
        }
    }

    @Test
    void aLostKeyFileStopsTheStart() throws Exception {
        TestProgram.start(folder).close();
        Files.delete(folder.resolve("secret.key"));
        assertThatThrownBy(() -> TestProgram.start(folder))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("secret.key is missing");
        assertThat(folder.resolve("secret.key")).doesNotExist();
    }

    @Test
    void aTakenPortStopsTheStartAndNothingIsLeftOpen() throws Exception {
        for (String flag :
                List.of("--listen", "--console-listen", "--alerts-listen", "--query-listen", "--admin-listen")) {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                String address = "127.0.0.1:" + taken.getLocalPort();
                assertThatThrownBy(() -> TestProgram.start(folder, flag, address))
                        .isInstanceOf(StartRefused.class)
                        .hasMessage(address + " is taken by another program: choose another address with " + flag);
            }
        }
        assertThat(folder.resolve("credentials.json")).doesNotExist();
        TestProgram.start(folder).close();
    }

    @Test
    void anAddressOfAnotherMachineStopsTheStart() {
        assertThatThrownBy(() -> TestProgram.start(folder, "--listen", "192.0.2.1:0", "--insecure-listen"))
                .isInstanceOf(StartRefused.class)
                .hasMessage("192.0.2.1:0 cannot be listened on: choose another address with --listen");
    }

    @Test
    void aFolderInUseStopsTheStart() throws Exception {
        try (TestProgram program = TestProgram.start(folder)) {
            assertThat(program.running().plane()).isEqualTo("simulated");
            assertThatThrownBy(() -> TestProgram.start(folder))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void aStoreThatIsNoStoreStopsTheStart() throws Exception {
        Files.writeString(
                folder.resolve("pilothouse.db"), "no database at all, but long enough to be looked at".repeat(20));
        assertThatThrownBy(() -> TestProgram.start(folder))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("not a database");
    }

    @Test
    void aDataPlaneThatCanDoNothingIsNoReasonNotToAnswer() throws IOException, InterruptedException, StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                Instant::now,
                new SecureRandom(),
                ground -> PlaneParts.simulated(ground, new NoPlane()),
                log,
                request -> {});
        try (TestProgram program = TestProgram.start(folder, surroundings, log)) {
            HttpResponse<String> created = program.createService("{}");
            assertThat(created.body()).contains("\"state\":\"provisioning\"");
            assertThat(program.get(program.running().urls().admin() + "/readyz").body())
                    .contains("\"status\":\"ready\"", "\"plane\":\"none\"");
            program.await(
                    program.running().urls().admin() + "/metrics",
                    body -> !body.contains("pilothouse_engine_plane_faults_total 0\n"));
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("The plane cannot look");
    }

    @Test
    void tasksOfAKilledProcessAreTakenUpAtOnce() throws IOException, InterruptedException, StartRefused {
        String service;
        try (TestProgram program = TestProgram.start(folder)) {
            service = TestProgram.field(program.createService("{}").body(), "id");
            program.await(
                    program.organizationUrl() + "/services/" + service, body -> body.contains("\"state\":\"running\""));
        }
        Instant killedAt = Instant.now();
        UUID subject = UUID.fromString(service);
        StoreMetrics unheard = new StoreMeter();
        try (Store store = SqliteStore.open(folder, Thread.ofPlatform().factory(), unheard)) {
            store.<Integer>write(tables -> {
                tables.tasks().wake(Tasks.Kind.SERVICE, subject, Tasks.Urgency.CHANGED, killedAt);
                return tables.tasks()
                        .claim(
                                "a process that was killed",
                                killedAt,
                                killedAt.plus(DispatchLimits.USUAL.lease()),
                                1_000)
                        .size();
            });
        }
        // A clock that never comes to the end of that lease.
        AtomicReference<Instant> now = new AtomicReference<>(killedAt);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                now::get, new SecureRandom(), Surroundings.ofProcess(Map.of()).plane(), log, request -> {});
        try (TestProgram program = TestProgram.start(folder, surroundings, log)) {
            String url = program.organizationUrl() + "/services/" + service;
            program.send(program.management(url + "/state")
                    .header("Content-Type", "application/json")
                    .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"command\":\"stop\"}")));
            program.await(url, body -> {
                now.updateAndGet(last -> last.plusMillis(last.isBefore(killedAt.plusSeconds(10)) ? 20 : 0));
                return body.contains("\"state\":\"stopped\"");
            });
        }
    }

    @Test
    void aKeyAndATokenEachAskAsOftenAsTheyMay() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder, "--rate-limit", "2")) {
            HttpRequest.Builder alerts = HttpRequest.newBuilder(
                            URI.create(program.running().urls().alerts() + "/api/v2/alerts"))
                    .header("Authorization", "Bearer " + program.credential("token"));
            for (HttpRequest.Builder request : List.of(program.management(program.organizationUrl()), alerts)) {
                assertThat(program.send(request).statusCode()).isEqualTo(200);
                assertThat(program.send(request).headers().firstValue("RateLimit-Remaining"))
                        .contains("0");
                HttpResponse<String> refused = program.send(request);
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.body()).contains("More than 2 requests in a minute: try again in ");
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            }
        }
    }

    @Test
    void theAdminListenerReportsHowTheProgramIs() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder)) {
            String admin = program.running().urls().admin();
            assertThat(program.get(admin + "/healthz").body()).isEqualTo("{\"status\":\"alive\"}");
            HttpResponse<String> ready = program.get(admin + "/readyz");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.body())
                    .isEqualTo(
                            "{\"status\":\"ready\",\"store\":\"reachable\",\"creates\":\"possible\",\"engine\":\"works\","
                                    + "\"queries\":\"Services are simulated here: none has a database that could run SQL\","
                                    + "\"edition\":\"seed\",\"version\":\"development\",\"plane\":\"simulated\",\"fence\":\"not needed\",\"pipeLimits\":\"not needed\",\"disk\":\"enough\"}");
            assertThat(program.createService("{}").statusCode()).isEqualTo(200);
            // It is counted after its answer, its duration last.
            program.await(
                    admin + "/metrics",
                    body -> body.contains(
                            "pilothouse_request_duration_seconds_count{operation=\"instanceCreate\"} 1\n"));
            HttpResponse<String> metrics = program.get(admin + "/metrics");
            assertThat(metrics.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(metrics.body())
                    .contains(
                            "pilothouse_info{version=\"development\",edition=\"seed\",plane=\"simulated\"} 1\n",
                            "pilothouse_requests_total{operation=\"instanceCreate\",status=\"200\"} 1\n",
                            "pilothouse_request_duration_seconds_count{operation=\"instanceCreate\"} 1\n",
                            "pilothouse_store_writes_waiting ",
                            "pilothouse_store_group_writes_count ",
                            "pilothouse_engine_tasks_due ",
                            "pilothouse_engine_tasks_unsettled ",
                            "pilothouse_engine_round_age_seconds ",
                            "jvm_memory_used_bytes");
            assertThat(program.get(admin + "/elsewhere").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void everyRequestIsOneLineAndNoLineHasASecret() throws IOException, InterruptedException, StartRefused {
        TestProgram program = TestProgram.start(folder, "--log-level", "debug", "--log-format", "json");
        String password;
        String secret = program.credential("key_secret");
        String keyId = program.credential("key_id");
        String token = program.credential("token");
        try (program) {
            HttpResponse<String> created = program.createService("{\"name\":\"Quiet\"}");
            password = TestProgram.field(created.body(), "password");
            String requestId = TestProgram.field(created.body(), "requestId");
            assertThat(program.createService("{\"name\":\"" + secret + "!\"}").statusCode())
                    .isEqualTo(400);
            program.get(program.organizationUrl() + "/services?secret=" + secret);
            program.running().opened().close();
            assertThat(program.log().lines().filter(line -> line.contains(requestId)))
                    .singleElement()
                    .asString()
                    .contains(
                            "\"event\":\"request\"",
                            "\"listener\":\"management\"",
                            "\"operation_id\":\"instanceCreate\"",
                            "\"key_id\":\"",
                            "\"status\":200",
                            "\"duration_ms\":",
                            "\"bytes\":");
        }
        assertThat(program.log().lines()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(program.log()).doesNotContain(password, secret, keyId, token);
    }
}
