package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program on real databases in a process of its own, with one service: any part of it can be killed. */
final class KillableProgram implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final List<String> flags;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String created;
    private ChildProgram program;

    KillableProgram(Path folder, String... flags) throws IOException, InterruptedException, StartRefused {
        this.folder = folder;
        this.flags = List.of(flags);
        program = up();
        created = send("POST", "/services", "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleScaling\":false}");
        await(service(), "\"state\":\"running\"");
    }

    private ChildProgram up() throws IOException, StartRefused {
        List<String> arguments = new ArrayList<>(List.of(LocalProgram.flags()));
        arguments.addAll(flags);
        ChildProgram started = ChildProgram.fromClasses(folder, arguments);
        started.printedUntil("organization_id");
        return started;
    }

    /** The path of the service in its organization. */
    String service() {
        return "/services/" + id(created.substring(created.indexOf("\"service\"")));
    }

    private static String id(String answer) {
        return TestProgram.field(answer, "id");
    }

    /** Makes a pipe, and returns its path. */
    String create(String pipe) throws IOException, InterruptedException {
        return service() + "/clickpipes/" + id(send("POST", service() + "/clickpipes", pipe));
    }

    String send(String method, String path, String body) throws IOException, InterruptedException {
        return send(new FirstKey(folder.resolve("data")).request(method, path, body));
    }

    /** Asks the emulator. */
    String control(String method, String path, String body) throws IOException, InterruptedException {
        return send(new FirstKey(folder.resolve("data")).toProgram(method, "/_pilothouse" + path, body));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    void await(String path, String wanted) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String body = send("GET", path, "");
        while (!body.contains(wanted)) {
            assertThat(Instant.now()).as("%s%s", body, program.errors()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            body = send("GET", path, "");
        }
    }

    String query(String sql) throws GeneralSecurityException, IOException, InterruptedException {
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder.resolve("data")), created)) {
            return client.send(sql).body().strip();
        }
    }

    /** Asks until this is the answer; {@code walk} is said where it never comes. */
    void awaitAnswer(Object walk, String sql, String wanted)
            throws GeneralSecurityException, IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String seen = answerOrFault(sql);
        while (!seen.equals(wanted)) {
            assertThat(Instant.now())
                    .as("%s: %s instead of %s, %s", walk, seen, wanted, program.errors())
                    .isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(200);
            seen = answerOrFault(sql);
        }
    }

    /** A database that was just killed, or whose door is not open again, takes no connection. */
    private String answerOrFault(String sql) throws GeneralSecurityException, InterruptedException {
        try {
            return query(sql);
        } catch (IOException away) {
            return away.toString();
        }
    }

    /** Kills what this program has started with this class; returns how many there were. */
    int kill(String main) {
        return Victims.kill(program.process().descendants(), main).size();
    }

    /** The same, once there is one. */
    void killOnceThere(String main) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (kill(main) == 0) {
            assertThat(Instant.now()).as("%s%s", main, program.errors()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Kills the control plane alone, and starts it again over what it left. */
    void killAndStart() throws IOException, InterruptedException, StartRefused {
        program.close();
        program.process().waitFor();
        program = up();
    }

    @Override
    public void close() throws IOException {
        program.close();
        // A database outlives the control plane that was killed, and would still write into the folder.
        Victims.kill(ProcessHandle.allProcesses(), folder.toString())
                .forEach(process -> process.onExit().join());
        http.close();
    }
}
