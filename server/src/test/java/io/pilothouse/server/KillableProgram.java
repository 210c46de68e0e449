package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
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
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

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

    /** From the classes of the tests, so that it needs no built program. */
    private ChildProgram up() throws IOException, StartRefused {
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes().toString(),
                Main.class.getName(),
                "up",
                "--data",
                folder.resolve("data").toString()));
        for (String listener : List.of("--listen", "--alerts-listen", "--query-listen", "--admin-listen")) {
            arguments.addAll(List.of(listener, "127.0.0.1:0"));
        }
        arguments.addAll(List.of(LocalProgram.flags()));
        arguments.addAll(flags);
        ChildProgram started = ChildProgram.java(folder, arguments);
        started.printedUntil("organization_id");
        return started;
    }

    /** One name for all classes of this test: of a command that is longer than a page only the beginning can be seen. */
    private Path classes() throws IOException {
        Path jar = folder.resolve("classes.jar");
        if (!Files.exists(jar)) {
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            manifest.getMainAttributes()
                    .put(
                            Attributes.Name.CLASS_PATH,
                            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                    .map(entry -> Path.of(entry).toUri().toString())
                                    .collect(Collectors.joining(" ")));
            new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        }
        return jar;
    }

    private String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(folder.resolve("data/credentials.json")), name);
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
        String pair = credential("key_id") + ":" + credential("key_secret");
        String credentials = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        URI address = URI.create(credential("base_url") + "/v1/organizations/" + credential("organization_id") + path);
        return http.send(
                        HttpRequest.newBuilder(address)
                                .timeout(Duration.ofSeconds(60))
                                .header("Authorization", "Basic " + credentials)
                                .header("Content-Type", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
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
        String seen = query(sql);
        while (!seen.equals(wanted)) {
            assertThat(Instant.now())
                    .as("%s: %s instead of %s, %s", walk, seen, wanted, program.errors())
                    .isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(200);
            seen = query(sql);
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
