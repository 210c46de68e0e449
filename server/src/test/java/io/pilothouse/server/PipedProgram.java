package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The program on real databases with one service, into which pipes carry data. */
final class PipedProgram implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path data;
    private final TestProgram program;
    private final String created;
    private final String service;

    PipedProgram(LocalProgram local, Path folder, String... flags)
            throws IOException, InterruptedException, StartRefused {
        data = folder.resolve("data");
        program = local.start(data, flags);
        created = program.createService("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}")
                .body();
        service = program.organizationUrl() + "/services/"
                + TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        program.await(service, body -> body.contains("\"state\":\"running\""));
    }

    TestProgram program() {
        return program;
    }

    /** The address of the service. */
    String service() {
        return service;
    }

    /** Makes a pipe, and returns its address. */
    String create(String pipe) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(service + "/clickpipes")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(pipe)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return service + "/clickpipes/" + TestProgram.field(answer.body(), "id");
    }

    /** What is found at the source of such a pipe from files, which need not be there. */
    String discovered(String pipe) throws IOException, InterruptedException {
        String source = pipe.substring(pipe.indexOf("{\"objectStorage"), pipe.indexOf("\"destination\""))
                .strip()
                .replaceFirst(",$", "");
        HttpResponse<String> answer = program.send(program.management(service + "/clickpipes/schemaDiscovery")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"source\": " + source + "}")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    void awaitState(String pipe, String state) throws IOException, InterruptedException {
        program.await(pipe, body -> body.contains("\"state\":\"" + state + "\""));
    }

    /** Kills a worker once there is one: a walk of kills is for nothing unless it meets one that has begun. */
    void killFirstWorker() throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (kill("WorkerMain") == 0) {
            assertThat(Instant.now()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Kills the workers or, once in three times, the database. */
    void killSome(RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            kill("BundledMain", data.toString());
        } else {
            kill("WorkerMain");
        }
    }

    /** Other programs with real databases may run in this process, and none of them has pipes. */
    private static int kill(String... words) {
        return Victims.kill(ProcessHandle.current().descendants(), words).size();
    }

    private ServiceClient client() throws GeneralSecurityException, IOException {
        return new ServiceClient(LocalProgram.authority(data), created);
    }

    String query(String sql) throws GeneralSecurityException, IOException, InterruptedException {
        try (ServiceClient client = client()) {
            return client.query(sql);
        }
    }

    /** Asks until this is the answer; the service may sleep, be restarted, or not have the table yet. */
    void awaitAnswer(String sql, String wanted) throws GeneralSecurityException, IOException, InterruptedException {
        awaitAnswer(sql, wanted, PATIENCE);
    }

    void awaitAnswer(String sql, String wanted, Duration patience)
            throws GeneralSecurityException, IOException, InterruptedException {
        Instant deadline = Instant.now().plus(patience);
        try (ServiceClient client = client()) {
            String answer = client.send(sql).body().strip();
            while (!answer.equals(wanted)) {
                assertThat(Instant.now())
                        .as(answer + "\n"
                                + program.getAsFirstKey(service + "/clickpipes").body())
                        .isBefore(deadline);
                TimeUnit.MILLISECONDS.sleep(50);
                answer = client.send(sql).body().strip();
            }
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
