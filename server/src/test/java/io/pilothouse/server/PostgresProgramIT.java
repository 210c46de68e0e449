package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program with its store in a real PostgreSQL, which goes away and comes back. */
class PostgresProgramIT {
    private static final int WRITERS = 6;
    private static final int ANSWERS = 30;
    private static final long BETWEEN_WRITES_MILLIS = 50;
    private static final long PATIENCE_NANOS = 180_000_000_000L;

    @TempDir
    private Path folder;

    /** Every name that was answered, by the id that was answered with it. */
    private final Map<String, String> answered = new ConcurrentHashMap<>();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean enough = new AtomicBoolean();

    @Test
    void everyAnsweredWriteOutlivesTheDatabaseAndTheProgram() throws Exception {
        try (StorePostgres postgres = new StorePostgres(folder)) {
            Path home = folder.resolve("one");
            try (ChildOnPostgres child = ChildOnPostgres.up(home, postgres);
                    ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                assertThat(child.ready().body()).contains("\"store\":\"reachable\"");
                for (int writer = 0; writer < WRITERS; writer++) {
                    String name = "Writer " + writer + " service ";
                    writers.execute(() -> write(child, name));
                }
                try {
                    awaitAnswers();
                    postgres.whileAway(() -> requireUnavailable(child));
                    child.awaitReady();
                    awaitAnswers();
                } finally {
                    enough.set(true);
                }
            }
            assertThat(faults).isEmpty();
            // It was killed and not stopped: what it held in the database is free all the same.
            try (ChildOnPostgres child = ChildOnPostgres.up(home, postgres)) {
                requireEverything(child);
                child.kill();
            }
            Path other = Files.createDirectories(folder.resolve("another machine/data"));
            for (String key : List.of("secret.key", "vault.key", "credentials.json")) {
                Files.copy(home.resolve("data").resolve(key), other.resolve(key));
            }
            try (ChildOnPostgres child = ChildOnPostgres.up(folder.resolve("another machine"), postgres)) {
                requireEverything(child);
            }
        }
    }

    @Test
    void secondProgramOnTheSameStoreIsRefusedAndTheFirstGoesOn()
            throws IOException, InterruptedException, SQLException {
        try (StorePostgres postgres = new StorePostgres(folder);
                ChildOnPostgres first = ChildOnPostgres.up(folder.resolve("one"), postgres)) {
            try (ChildOnPostgres second = ChildOnPostgres.start(folder.resolve("two"), postgres)) {
                assertThat(second.program().exitCode()).isEqualTo(Main.REFUSED);
                assertThat(second.program().errors())
                        .contains("Another Pilothouse runs on this store in PostgreSQL")
                        .doesNotContain("a-store-secret");
            }
            assertThat(first.ready().statusCode()).isEqualTo(200);
            first.program().signal("TERM");
            assertThat(first.program().exitCode()).isIn(0, 143);
            postgres.awaitNobody();
            assertThat(keys(folder.resolve("one/data"), postgres)).contains("key_secret");
            try (ChildOnPostgres stranger = ChildOnPostgres.start(folder.resolve("two"), postgres)) {
                assertThat(stranger.program().exitCode()).isEqualTo(Main.REFUSED);
                assertThat(stranger.program().errors()).contains("secret.key").contains("is missing");
            }
        }
    }

    @Test
    void nobodyBeginsFromNothingBesideAStoreByMistake()
            throws IOException, InterruptedException, SQLException, StartRefused {
        TestProgram.start(folder.resolve("one/data")).close();
        try (StorePostgres postgres = new StorePostgres(folder);
                ChildOnPostgres child = ChildOnPostgres.start(folder.resolve("one"), postgres)) {
            assertThat(child.program().exitCode()).isEqualTo(Main.REFUSED);
            assertThat(child.program().errors()).contains("The store in PostgreSQL is empty", "has one of its own");
        }
    }

    /** What the command says that makes a key. */
    private static String keys(Path home, StorePostgres postgres) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>(List.of("create", "--data", home.toString()));
        arguments.addAll(postgres.flags());
        new KeysCommand(Map.of(), Instant::now, new SecureRandom(), out, out).run(arguments);
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void write(ChildOnPostgres child, String name) {
        for (int number = 0; !enough.get(); number++) {
            try {
                // As many as a quick machine could would take a slow one long to make.
                TimeUnit.MILLISECONDS.sleep(BETWEEN_WRITES_MILLIS);
                HttpResponse<String> answer = child.send("POST", "/services", "{\"name\": \"" + name + number + "\"}");
                if (answer.statusCode() == 200) {
                    answered.put(
                            ApiJson.read(answer.body().getBytes(StandardCharsets.UTF_8))
                                    .path("result")
                                    .path("service")
                                    .path("id")
                                    .asString(),
                            name + number);
                } else {
                    requireRefused(answer);
                }
            } catch (IOException | RuntimeException e) {
                faults.add(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void requireRefused(HttpResponse<String> answer) {
        if (answer.statusCode() != 503
                || answer.headers().firstValue("Retry-After").isEmpty()) {
            faults.add(answer.statusCode() + " " + answer.body());
        }
    }

    private void awaitAnswers() throws InterruptedException {
        int before = answered.size();
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (answered.size() < before + ANSWERS) {
            assertThat(faults).isEmpty();
            assertThat(System.nanoTime()).as("the time to write").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void requireUnavailable(ChildOnPostgres child) throws IOException, InterruptedException {
        HttpResponse<String> read = child.send("GET", "/services", "");
        assertThat(read.statusCode()).as(read.body()).isEqualTo(503);
        assertThat(read.headers().firstValue("Retry-After")).isPresent();
        HttpResponse<String> ready = child.ready();
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("\"store\":\"unreachable\"");
    }

    /** Everything that was answered is there and settles, and what is there has its line in the history. */
    private void requireEverything(ChildOnPostgres child) throws IOException, InterruptedException {
        Map<String, String> stored = new HashMap<>();
        long end = System.nanoTime() + PATIENCE_NANOS;
        boolean settled = false;
        while (!settled) {
            assertThat(System.nanoTime()).as(child.program().errors()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
            String services = child.send("GET", "/services", "").body();
            settled = true;
            for (var service :
                    ApiJson.read(services.getBytes(StandardCharsets.UTF_8)).path("result")) {
                stored.put(service.path("id").asString(), service.path("name").asString());
                settled &= service.path("state").asString().equals("running");
            }
        }
        assertThat(stored).containsAllEntriesOf(answered);
        Set<String> listed = new HashSet<>();
        String activities = child.send("GET", "/activities", "").body();
        for (var line :
                ApiJson.read(activities.getBytes(StandardCharsets.UTF_8)).path("result")) {
            if (line.path("type").asString().equals("service_create")) {
                listed.add(line.path("serviceId").asString());
            }
        }
        assertThat(listed).as("the services in the history").isEqualTo(stored.keySet());
    }
}
