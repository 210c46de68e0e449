package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
        return beside(folder, postgres, more);
    }

    /** The same, while others may have connections. */
    static ChildOnPostgres beside(Path folder, StorePostgres postgres, String... more) throws IOException {
        return onceUp(start(folder, postgres, more));
    }

    /** The same on a machine whose clock is off by this, and with a store that it reaches by these flags. */
    static ChildOnPostgres beside(Path folder, Duration off, List<String> flags) throws IOException {
        Files.createDirectories(folder);
        List<String> program = List.of(SkewedProgram.class.getName(), off.toString());
        return onceUp(new ChildOnPostgres(folder, ChildProgram.fromClasses(folder, program, flagsAnd(flags))));
    }

    private static List<String> flagsAnd(List<String> more) {
        List<String> flags = new ArrayList<>(List.of("--plane", "simulated", "--simulated-provisioning-time", "50ms"));
        flags.addAll(more);
        return flags;
    }

    private static ChildOnPostgres onceUp(ChildOnPostgres child) throws IOException {
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
        List<String> arguments = flagsAnd(postgres.flags());
        arguments.addAll(List.of(more));
        return new ChildOnPostgres(folder, ChildProgram.fromClasses(folder, arguments));
    }

    ChildProgram program() {
        return program;
    }

    String credential(String name) throws IOException {
        return new FirstKey(folder.resolve("data")).credential(name);
    }

    /** A request about its organization. */
    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return send(method, path, body, PATIENCE);
    }

    /** A request about its organization that is not complete yet. */
    HttpRequest.Builder request(String method, String path, String body) throws IOException {
        return new FirstKey(folder.resolve("data")).request(method, path, body);
    }

    /** The same, given up after a while. */
    HttpResponse<String> send(String method, String path, String body, Duration patience)
            throws IOException, InterruptedException {
        return send(request(method, path, body), patience);
    }

    HttpResponse<String> ready() throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(admin() + "/readyz")), PATIENCE);
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

    /** Another request, of which it is known where it goes. */
    HttpResponse<String> send(HttpRequest.Builder request, Duration patience) throws IOException, InterruptedException {
        return client.send(request.timeout(patience).build(), HttpResponse.BodyHandlers.ofString());
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
