package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.HostileSql;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on a system that cannot fence databases in: at home it runs and says so, elsewhere it is refused. */
class OldKernelIT {
    private static final String FILES = "This system has no Landlock: SQL in one service can read files";
    private static final String PLACES = "This system cannot hold connections of SQL";

    private static final Pattern ADMIN = Pattern.compile("admin (http://[^,\\s]+)");

    @TempDir
    private Path folder;

    @BeforeEach
    void needsFiltersOfSystemCalls() {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/proc/sys/kernel/seccomp")) && OldKernel.seccomp() != 0,
                "This system cannot play an older one.");
    }

    private ChildProgram start(String... more) throws IOException, StartRefused {
        return start(false, more);
    }

    private ChildProgram start(boolean landlockAlone, String... more) throws IOException, StartRefused {
        List<String> arguments = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        arguments.add("-D" + OldKernel.WITHOUT_LANDLOCK_ALONE + "=" + landlockAlone);
        arguments.add("-cp");
        arguments.add(System.getProperty("java.class.path"));
        arguments.addAll(List.of(OldKernel.class.getName(), "up", "--data", data().toString()));
        for (String listener : List.of("listen", "alerts-listen", "query-listen", "admin-listen")) {
            arguments.addAll(List.of("--" + listener, "127.0.0.1:0"));
        }
        arguments.addAll(List.of(LocalProgram.flags()));
        arguments.addAll(List.of(more));
        return ChildProgram.java(folder, arguments);
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** Makes a service over the API, and returns the answer. */
    private String createService() throws IOException, InterruptedException {
        String file = Files.readString(data().resolve("credentials.json"));
        String key = TestProgram.field(file, "key_id") + ":" + TestProgram.field(file, "key_secret");
        return send(HttpRequest.newBuilder(URI.create(TestProgram.field(file, "base_url") + "/v1/organizations/"
                        + TestProgram.field(file, "organization_id") + "/services"))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}")));
    }

    private static String readiness(ChildProgram program) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(adminOf(program) + "/readyz")));
    }

    private static URI adminOf(ChildProgram program) throws IOException, InterruptedException {
        // The log may come after the welcome.
        Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
        Matcher admin = ADMIN.matcher(program.errors());
        while (!admin.find()) {
            assertThat(Instant.now()).as(program.errors()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
            admin = ADMIN.matcher(program.errors());
        }
        return URI.create(admin.group(1));
    }

    @Test
    void onLoopbackADatabaseRunsAndEveryPlaceSaysWhatIsNotHeld()
            throws IOException, InterruptedException, StartRefused, GeneralSecurityException {
        try (ChildProgram program = start()) {
            assertThat(program.printedUntil("/api/v2/alerts")).contains(FILES, PLACES);
            assertThat(program.errors()).contains(FILES, PLACES);
            assertThat(readiness(program)).contains("\"fence\":\"" + FILES, PLACES);
            try (ServiceClient client = new ServiceClient(LocalProgram.authority(data()), createService())) {
                assertThat(client.query("SELECT 1")).isEqualTo("1");
                // A dictionary could start a program here.
                assertThat(client.send("CREATE DICTIONARY d (k UInt64) PRIMARY KEY k SOURCE(NULL()) LAYOUT(FLAT())")
                                .body())
                        .contains("ACCESS_DENIED");
            }
            program.signal("TERM");
            assertThat(program.exitCode()).isEqualTo(143);
        }
    }

    /** Addresses are still held, so hostile SQL gets as far as with Landlock: nowhere. Files are not, and that is said. */
    @Test
    void withoutLandlockHostileSqlStillReachesNoOtherDatabaseAndNoListener()
            throws IOException, InterruptedException, StartRefused, GeneralSecurityException {
        try (ChildProgram program = start(true)) {
            assertThat(program.printedUntil("/api/v2/alerts")).contains(FILES).doesNotContain(PLACES);
            String victim = createService();
            Path victims = data().resolve("services")
                    .resolve(TestProgram.field(victim.substring(victim.indexOf("\"service\"")), "id"));
            try (ServiceClient attacker = new ServiceClient(LocalProgram.authority(data()), createService());
                    ServiceClient other = new ServiceClient(LocalProgram.authority(data()), victim)) {
                assertThat(other.query("SELECT 1")).isEqualTo("1");
                long pid = LocalProgram.pid(victims.resolve("process"));
                int[] ports = {
                    Integer.parseInt(Files.readString(victims.resolve("ports"))),
                    adminOf(program).getPort()
                };
                for (int port : ports) {
                    HostileSql hostile = new HostileSql("127.0.0.1", port, TestProgram.field(victim, "password"));
                    for (String sql : hostile.preparations()) {
                        attacker.send(sql);
                    }
                    for (String sql : hostile.attacks()) {
                        HttpResponse<String> answer = attacker.send(sql);
                        assertThat(answer.statusCode()).as(sql + answer.body()).isNotEqualTo(200);
                        assertThat(other.query("SELECT 1")).isEqualTo("1");
                    }
                    attacker.send(hostile.cleaning());
                }
                assertThat(attacker.send("SELECT * FROM url('http://127.0.0.1:" + ports[1]
                                        + "/livez', 'LineAsString') SETTINGS http_max_tries = 1")
                                .body())
                        .contains("Permission denied");
                assertThat(LocalProgram.pid(victims.resolve("process"))).isEqualTo(pid);
            }
            program.signal("TERM");
            assertThat(program.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void withoutLandlockAloneTheStartIsRefusedWhereOthersReachAListener()
            throws IOException, InterruptedException, StartRefused {
        try (ChildProgram program = start(true, "--gateway-listen", "0.0.0.0")) {
            assertThat(program.exitCode()).isEqualTo(Main.REFUSED);
            assertThat(program.errors()).contains("gateway-listen 0.0.0.0", FILES, "--unfenced-engine");
        }
    }

    @Test
    void whereOthersReachAListenerTheStartIsRefused() throws IOException, InterruptedException, StartRefused {
        try (ChildProgram program = start("--gateway-listen", "0.0.0.0")) {
            assertThat(program.exitCode()).isEqualTo(Main.REFUSED);
            assertThat(program.errors()).contains("gateway-listen 0.0.0.0", FILES, PLACES, "--unfenced-engine");
        }
    }

    @Test
    void operatorWhoInsistsIsObeyedAndReminded() throws IOException, InterruptedException, StartRefused {
        try (ChildProgram program = start("--gateway-listen", "0.0.0.0", "--unfenced-engine")) {
            assertThat(program.printedUntil("/api/v2/alerts"))
                    .contains(FILES, "although other machines can reach gateway-listen 0.0.0.0");
            program.signal("TERM");
            assertThat(program.exitCode()).isEqualTo(143);
        }
    }
}
