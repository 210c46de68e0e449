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
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The program in a process of its own, with its store in PostgreSQL and no databases. */
final class ChildOnPostgres implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long BETWEEN_LOOKS_NANOS = 20_000_000;

    private static final Pattern LISTENS = Pattern.compile(", admin (http://[0-9.]+:[0-9]+), plane ");

    private final Path folder;
    private final ChildProgram program;
    private final HttpClient client = HttpClient.newHttpClient();

    private ChildOnPostgres(Path folder, ChildProgram program) {
        this.folder = folder;
        this.program = program;
    }

    /** Starts it with its data in this folder, and waits until it says that it is up. */
    static ChildOnPostgres up(Path folder, StorePostgres postgres, String... more) throws IOException, SQLException {
        postgres.awaitNobody();
        ChildOnPostgres child = start(folder, postgres, more);
        boolean isUp = false;
        try {
            child.program.printedUntil("organization_id");
            child.awaitStarted();
            isUp = true;
            return child;
        } finally {
            if (!isUp) {
                child.close();
            }
        }
    }

    /** The same, of which nobody knows whether it will be up. */
    static ChildOnPostgres start(Path folder, StorePostgres postgres, String... more) throws IOException {
        Files.createDirectories(folder);
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes(folder).toString(),
                Main.class.getName(),
                "up",
                "--data",
                folder.resolve("data").toString(),
                "--plane",
                "simulated",
                "--simulated-provisioning-time",
                "50ms"));
        for (String listener : List.of("--listen", "--alerts-listen", "--query-listen", "--admin-listen")) {
            arguments.addAll(List.of(listener, "127.0.0.1:0"));
        }
        arguments.addAll(postgres.flags());
        arguments.addAll(List.of(more));
        return new ChildOnPostgres(folder, ChildProgram.java(folder, arguments));
    }

    /** The classes of the tests under one name, so that it needs no built program. */
    private static Path classes(Path folder) throws IOException {
        Path jar = folder.resolve("classes.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    ChildProgram program() {
        return program;
    }

    String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(folder.resolve("data/credentials.json")), name);
    }

    /** A request about its organization. */
    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        String pair = credential("key_id") + ":" + credential("key_secret");
        return send(HttpRequest.newBuilder(URI.create(
                        credential("base_url") + "/v1/organizations/" + credential("organization_id") + path))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpResponse<String> ready() throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(admin() + "/readyz")));
    }

    /** The log says where it listens, in a line that may come after the welcome. */
    private void awaitStarted() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!LISTENS.matcher(program.errors()).find()) {
            assertThat(System.nanoTime()).as(program.errors()).isLessThan(end);
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    private String admin() throws IOException {
        Matcher listens = LISTENS.matcher(program.errors());
        assertThat(listens.find()).isTrue();
        return listens.group(1);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }

    void awaitReady() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (ready().statusCode() != 200) {
            assertThat(System.nanoTime()).as(program.errors()).isLessThan(end);
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** Ends it in the middle of its work. */
    void kill() throws InterruptedException {
        program.process().destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        client.close();
        program.close();
        // The next one takes the same folder.
        program.process().onExit().join();
    }
}
