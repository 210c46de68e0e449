package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.S3Server;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups in a bucket through the API, with a real ClickHouse and a real server that speaks S3. */
class BucketIT {
    private static final String FROM_HERE = "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private S3Server server;
    private TestProgram program;

    @BeforeEach
    void start() throws StartRefused, IOException, InterruptedException {
        server = S3Server.start(folder.resolve("s3"));
        program = local.start(folder.resolve("data"), "--webhook-allow", "127.0.0.1");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        if (program != null) {
            program.close();
        }
    }

    private String created(String body) throws IOException, InterruptedException {
        HttpResponse<String> created = program.createService(body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        return created.body();
    }

    private String url(String created) throws IOException {
        String id = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        return program.organizationUrl() + "/services/" + id;
    }

    private String post(String url, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(url)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String bucket(String keyId) {
        return "{\"bucketProvider\":\"AWS\",\"bucketPath\":\"" + server.path() + "\",\"accessKeyId\":\"" + keyId
                + "\",\"secretAccessKey\":\"" + S3Server.SECRET + "-hidden\"}";
    }

    private String backedUp(String service, String status) throws IOException, InterruptedException {
        String id = TestProgram.field(post(service + "/backups", "{}"), "id");
        return program.await(service + "/backups/" + id, body -> body.contains("\"status\":\"" + status + "\""));
    }

    @Test
    void aBackupIsMadeInABucketRestoredFromItAndDeletedWhenItsTimeIsUp() throws Exception {
        String first = created(FROM_HERE);
        try (ServiceClient client = client(first)) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t SELECT number FROM numbers(1000)");
        }
        program.await(url(first), body -> body.contains("\"state\":\"running\""));
        post(url(first) + "/backupBucket", bucket(S3Server.KEY_ID));
        String backup = backedUp(url(first), "done");
        assertThat(backup).contains("\"bucket\":{\"bucketProvider\":\"AWS\"", "\"sizeInBytes\":");
        assertThat(server.objects()).containsExactly("nightly/" + TestProgram.field(backup, "backupName"));

        program.patch(url(first) + "/backupBucket", bucket("NOBODY"));
        assertThat(backedUp(url(first), "error"))
                .contains("The bucket cannot be used: the credentials are not accepted (InvalidAccessKeyId)");
        program.patch(url(first) + "/backupBucket", bucket(S3Server.KEY_ID));

        program.send(program.management(url(first) + "/backupBucket").DELETE());
        program.patch(url(first) + "/state", "{\"command\":\"stop\"}");
        program.await(url(first), body -> body.contains("\"state\":\"stopped\""));
        program.send(program.management(url(first)).DELETE());
        program.await(url(first), body -> body.contains("\"status\":404"));

        String second = created("{\"backupId\":\"" + TestProgram.field(backup, "id") + "\"," + FROM_HERE.substring(1));
        try (ServiceClient client = client(second)) {
            assertThat(client.query("SELECT count(), sum(x) FROM t FORMAT CSV")).isEqualTo("1000,499500");
        }
        program.await(url(second), body -> body.contains("\"state\":\"running\""));

        local.advance(Duration.ofHours(26));
        // The engine sleeps by the real clock; a request wakes it.
        program.patch(url(second) + "/backupConfiguration", "{\"backupPeriodInHours\":12}");
        awaitEmptyBucket();
        assertThat(program.log()).doesNotContain(S3Server.SECRET + "-hidden");
    }

    private ServiceClient client(String created) throws Exception {
        return new ServiceClient(LocalProgram.authority(folder.resolve("data")), created);
    }

    private void awaitEmptyBucket() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (server.objects().findAny().isPresent()) {
            assertThat(Instant.now()).as(program.log()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
