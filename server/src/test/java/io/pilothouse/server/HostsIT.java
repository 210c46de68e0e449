package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.S3Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two programs with real databases share one real PostgreSQL: each is a host with services of its own. */
class HostsIT {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final String FROM_HERE = "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}";
    /** Also of this machine, so that both can listen at one port as two machines do. */
    private static final String BETA_ADDRESS = "127.0.0.2";

    @TempDir
    private Path folder;

    private final LocalProgram localAlpha = new LocalProgram();
    private final LocalProgram localBeta = LocalProgram.onAnotherHost();

    private TestProgram alpha(StorePostgres postgres) throws StartRefused {
        return localAlpha.start(folder.resolve("alpha"), flags(postgres, "--host-name", "alpha"));
    }

    private TestProgram beta(StorePostgres postgres) throws StartRefused {
        return localBeta.start(
                folder.resolve("beta"),
                flags(
                        postgres,
                        "--host-name",
                        "beta",
                        "--gateway-host",
                        BETA_ADDRESS,
                        "--gateway-listen",
                        BETA_ADDRESS));
    }

    private static String[] flags(StorePostgres postgres, String... more) {
        List<String> flags = new ArrayList<>(postgres.flags());
        flags.addAll(List.of("--store-shared", "--webhook-allow", "127.0.0.1"));
        flags.addAll(List.of(more));
        return flags.toArray(String[]::new);
    }

    private void giveKeysToBeta() throws IOException {
        Files.createDirectories(folder.resolve("beta"));
        for (String key : List.of("secret.key", "vault.key", "credentials.json")) {
            Files.copy(
                    folder.resolve("alpha").resolve(key), folder.resolve("beta").resolve(key));
        }
    }

    private static String create(TestProgram program) throws IOException, InterruptedException {
        HttpResponse<String> created = program.createService(FROM_HERE);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        return created.body();
    }

    private static String url(TestProgram program, String created) throws IOException {
        return program.organizationUrl() + "/services/"
                + TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
    }

    private static String await(TestProgram program, String created, String state, String more)
            throws IOException, InterruptedException {
        return program.await(
                url(program, created), body -> body.contains("\"state\":\"" + state + "\"") && body.contains(more));
    }

    private ServiceClient client(String host, String created) throws Exception {
        return new ServiceClient(LocalProgram.authority(folder.resolve(host)), created);
    }

    @Test
    void eachServiceIsOnOneHostSaysSoWhileThatIsGoneAndMovesWhenItIsDrained() throws Exception {
        try (StorePostgres postgres = new StorePostgres(folder);
                TestProgram alpha = alpha(postgres)) {
            giveKeysToBeta();
            String here;
            String there;
            try (TestProgram beta = beta(postgres)) {
                here = create(alpha);
                there = create(alpha);
                assertThat(here).contains("\"host\":\"localhost\"");
                assertThat(there).as("where there is most room").contains("\"host\":\"" + BETA_ADDRESS + "\"");
                await(alpha, here, "running", "");
                await(alpha, there, "running", "");
                assertThat(Files.isDirectory(data("alpha", here))).isTrue();
                assertThat(Files.isDirectory(data("beta", there))).isTrue();
                try (ServiceClient client = client("alpha", here)) {
                    assertThat(client.query("SELECT 1")).isEqualTo("1");
                }
                try (ServiceClient client = client("beta", there)) {
                    client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
                    client.query("INSERT INTO t VALUES (7)");
                }
                assertThat(await(beta, here, "running", "")).contains("\"host\":\"localhost\"");
                hearsWhere("alpha", there.replace(BETA_ADDRESS, "localhost"), BETA_ADDRESS);
                hearsWhere("beta", here.replace("localhost", BETA_ADDRESS), "localhost");
            }
            await(alpha, there, "degraded", "Its host beta is gone since");
            assertThat(Files.exists(data("alpha", there))).as("a second copy").isFalse();
            String next = create(alpha);
            assertThat(next).as("no other host is there").contains("\"host\":\"localhost\"");
            assertThat(await(alpha, here, "running", "")).doesNotContain("is gone");
            comesBack(postgres, alpha, there);
        }
    }

    private void comesBack(StorePostgres postgres, TestProgram alpha, String there) throws Exception {
        try (TestProgram beta = beta(postgres)) {
            assertThat(await(alpha, there, "running", "")).doesNotContain("is gone");
            assertThat(beta.log()).doesNotContain("\"level\":\"ERROR\"");
            try (ServiceClient client = client("beta", there)) {
                assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            }
            moves(alpha, there);
        }
    }

    /** A client who takes this host for that of the service; it learns of a new service, or of one that left, in a moment. */
    private void hearsWhere(String host, String created, String address) throws Exception {
        try (ServiceClient client = client(host, created)) {
            HttpResponse<String> answer = refusal(client);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(421);
            assertThat(answer.body())
                    .isEqualTo("This service is on another host: connect to " + address + ", port " + client.port()
                            + ".\n");
        }
    }

    private static HttpResponse<String> refusal(ServiceClient client) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return client.send("SELECT 1");
            } catch (ConnectException notYet) {
                assertThat(System.nanoTime()).as("the time to listen there").isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** From beta to alpha, with what is in it, once there is a bucket that both can reach. */
    private void moves(TestProgram alpha, String there) throws Exception {
        assertThat(hosts(alpha, "drain", "beta"))
                .startsWith("beta gets no new services, and moves its own to other hosts, one after another."
                        + " Still there: 1.\n")
                .contains("It has no backup bucket to go by: give it one.");
        try (S3Server server = S3Server.start(folder.resolve("s3"))) {
            String bucket = "{\"bucketProvider\":\"AWS\",\"bucketPath\":\"" + server.path() + "\",\"accessKeyId\":\""
                    + S3Server.KEY_ID + "\",\"secretAccessKey\":\"" + S3Server.SECRET + "\"}";
            HttpResponse<String> given = alpha.send(alpha.management(url(alpha, there) + "/backupBucket")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(bucket)));
            assertThat(given.statusCode()).as(given.body()).isEqualTo(200);
            await(alpha, there, "degraded", "It moves to another host");
            await(alpha, there, "running", "\"host\":\"localhost\"");
            try (ServiceClient client = client("alpha", there.replace(BETA_ADDRESS, "localhost"))) {
                assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            }
            awaitNoData("beta", there);
            hearsWhere("beta", there, "localhost");
            assertThat(hosts(alpha, "list")).contains("alpha\tthere\t3\t").contains("beta\tdrained\t0\t");
        }
    }

    private void awaitNoData(String host, String created) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (Files.exists(data(host, created))) {
            assertThat(System.nanoTime()).as("the time to delete it there").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void hostThatDoesNotComeBackIsGivenUpAndItsServicesCanBeDeleted()
            throws IOException, InterruptedException, SQLException, StartRefused {
        try (StorePostgres postgres = new StorePostgres(folder);
                TestProgram alpha = alpha(postgres)) {
            giveKeysToBeta();
            String there;
            try (TestProgram beta = beta(postgres)) {
                assertThat(hosts(beta, "drain", "alpha"))
                        .isEqualTo("alpha gets no new services, and moves its own to other hosts, one after another."
                                + " Still there: 0.\n");
                there = create(alpha);
                await(alpha, there, "running", "");
                assertThat(hosts(alpha, "undrain", "alpha")).isEqualTo("alpha gets new services again.\n");
                assertThat(hosts(alpha, "remove", "beta"))
                        .isEqualTo("The host beta is there: stop its program first.\n");
            }
            await(alpha, there, "degraded", "Its host beta is gone since");
            assertThat(hosts(alpha, "remove", "beta")).startsWith("The host beta still has services (1).");
            assertThat(hosts(alpha, "abandon", "gamma"))
                    .isEqualTo("No host is called gamma: ./pilothouse hosts list shows them.\n");
            assertThat(hosts(alpha, "abandon", "beta"))
                    .startsWith("beta is no longer among the hosts. Services without their data: 1.");
            assertThat(await(alpha, there, "failed", "Its data is not where it was"))
                    .contains("\"host\":\"localhost\"");
            assertThat(Files.exists(data("alpha", there))).as("an empty copy").isFalse();
            assertThat(hosts(alpha, "list")).contains("alpha\tthere\t1\t").doesNotContain("beta");
            alpha.send(alpha.management(url(alpha, there)).DELETE());
            alpha.await(url(alpha, there), body -> body.contains("\"status\":404"));
            try (TestProgram beta = beta(postgres)) {
                assertThat(hosts(beta, "list")).contains("alpha\tthere\t0\t").contains("beta\tthere\t0\t");
            }
        }
    }

    private String hosts(TestProgram program, String... command) {
        List<String> arguments = new ArrayList<>(List.of("hosts"));
        arguments.addAll(List.of(command));
        String admin = program.running().urls().admin().replaceFirst("^https?://", "");
        arguments.addAll(List.of("--admin-listen", admin, "--data", folder.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        new Main(Map.of(), out, out).run(arguments);
        return said.toString(StandardCharsets.UTF_8);
    }

    private Path data(String host, String created) {
        String id = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        return folder.resolve(host).resolve("services").resolve(id);
    }
}
