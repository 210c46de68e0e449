package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pilothouse.testkit.Walk;
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
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers, databases and control planes are killed while data moves, and in the end each row is there once. */
class PipeDeathIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ROWS_AT_ONCE = 2000;
    private static final int PARTITIONS = 4;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private ObjectServer objects;
    private KinesisServer kinesis;
    private ChildProgram program;
    private String created = "";

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        objects = ObjectServer.start(folder);
        kinesis = KinesisServer.start(folder);
        up();
        created = send("POST", "/services", "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleScaling\":false}");
        await(service(), "\"state\":\"running\"");
    }

    @AfterEach
    void stop() throws IOException {
        program.close();
        // A database outlives the control plane that was killed, and would still write into the folder.
        Victims.kill(ProcessHandle.allProcesses(), folder.toString())
                .forEach(process -> process.onExit().join());
        http.close();
        kinesis.close();
        objects.close();
    }

    /** From the classes of the tests, so that it needs no built program. */
    private void up() throws IOException, StartRefused {
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes().toString(),
                Main.class.getName(),
                "up",
                "--data",
                folder.resolve("data").toString()));
        for (String listener : List.of("--listen", "--alerts-listen", "--admin-listen")) {
            arguments.addAll(List.of(listener, "127.0.0.1:0"));
        }
        arguments.addAll(List.of(LocalProgram.flags()));
        arguments.addAll(List.of("--egress", objects.place(), "--aws-kinesis-url", kinesis.address()));
        program = ChildProgram.java(folder, arguments);
        program.printedUntil("organization_id");
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

    private String service() {
        return "/services/" + id(created.substring(created.indexOf("\"service\"")));
    }

    private static String id(String answer) {
        return TestProgram.field(answer, "id");
    }

    private String send(String method, String path, String body) throws IOException, InterruptedException {
        String pair = credential("key_id") + ":" + credential("key_secret");
        String credentials = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        URI address = URI.create(credential("base_url") + "/v1/organizations/" + credential("organization_id") + path);
        return http.send(
                        HttpRequest.newBuilder(address)
                                .timeout(Duration.ofSeconds(30))
                                .header("Authorization", "Basic " + credentials)
                                .header("Content-Type", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void await(String path, String wanted) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String body = send("GET", path, "");
        while (!body.contains(wanted)) {
            assertThat(Instant.now()).as(body + program.errors()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            body = send("GET", path, "");
        }
    }

    private String query(String sql) throws GeneralSecurityException, IOException, InterruptedException {
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder.resolve("data")), created)) {
            return client.send(sql).body().strip();
        }
    }

    /** Adds this many rows to the source, with the ids that follow. */
    @FunctionalInterface
    private interface Feed {
        void add(int first, int count) throws IOException, InterruptedException;
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyRowOfEveryFileIsThereOnceWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        Walk walk = Walk.begin(PipeDeathIT.class);
        RandomGenerator names = walk.random(1);
        walk(
                walk,
                objects.pipe("in/*.json", "events", Map.of("isContinuous", "true")),
                (first, count) -> objects.put("in/" + names.nextInt(1000) + "-" + first + ".json", rows(first, count)));
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyRecordOfEveryPartitionIsThereOnceWhateverIsKilled()
            throws ExecutionException, GeneralSecurityException, IOException, InterruptedException, StartRefused {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.topic("events", PARTITIONS);
            walk(Walk.begin(PipeDeathIT.class), broker.pipe("events", "events", ""), (first, count) -> {
                for (String row : rows(first, count).split("\n", -1)) {
                    if (!row.isEmpty()) {
                        broker.send("events", row.hashCode() & (PARTITIONS - 1), null, row);
                    }
                }
                broker.flush();
            });
            assertThat(
                            query(
                                    "SELECT count() FROM (SELECT arraySort(groupArray(offset)) AS offsets FROM events"
                                            + " GROUP BY partition HAVING offsets != arrayMap(x -> toInt64(x), range(length(offsets))))"))
                    .isEqualTo("0");
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyRecordOfEveryShardIsThereOnceWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        kinesis.stream("events", PARTITIONS);
        Walk walk = Walk.begin(PipeDeathIT.class);
        RandomGenerator shards = walk.random(1);
        walk(walk, KinesisServer.pipe("events", "events", ", \"iteratorType\": \"TRIM_HORIZON\""), (first, count) -> {
            kinesis.put("events", List.of(rows(first, count).split("\n", -1)).subList(0, count));
            reshard(shards);
        });
    }

    /** Now and then two shards take the place of one, or one that of two. */
    private void reshard(RandomGenerator random) throws IOException, InterruptedException {
        List<JsonNode> open = kinesis.openShards("events");
        int one = random.nextInt(open.size());
        switch (random.nextInt(4)) {
            case 0 -> {
                if (open.size() < 3 * PARTITIONS) {
                    kinesis.split("events", open.get(one));
                }
            }
            case 1 -> {
                if (one > 0) {
                    kinesis.merge("events", open.get(one - 1), open.get(one));
                }
            }
            default -> {}
        }
    }

    private void walk(Walk walk, String body, Feed feed)
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        RandomGenerator random = walk.random();
        int kills = Walk.length(9, 200);
        String pipe = service() + "/clickpipes/" + id(send("POST", service() + "/clickpipes", body));
        await(pipe, "\"state\":\"Running\"");
        int rows = 0;
        int workers = 0;
        int databases = 0;
        for (int kill = 0; kill < kills; kill++) {
            for (int more = random.nextInt(1, 5); more > 0; more--) {
                feed.add(rows, ROWS_AT_ONCE);
                rows += ROWS_AT_ONCE;
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(900));
            switch (random.nextInt(3)) {
                case 0 -> workers += killAll("WorkerMain");
                case 1 -> databases += killAll("BundledMain");
                default -> {
                    program.close();
                    program.process().waitFor();
                    up();
                }
            }
            int replicas = random.nextInt(1, 4);
            await(service(), "\"state\":\"running\"");
            send("PATCH", pipe + "/scaling", "{\"replicas\":" + replicas + "}");
        }
        System.out.printf("Killed %d workers and %d databases%n", workers, databases);
        assertThat(workers + databases).as("%s", walk).isPositive();
        String wanted = rows + "\t" + rows;
        Instant deadline = Instant.now().plus(PATIENCE);
        String seen = "";
        while (!seen.equals(wanted)) {
            assertThat(Instant.now())
                    .as("%s: %s instead of %s, %s", walk, seen, wanted, program.errors())
                    .isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(200);
            seen = query("SELECT count(), uniqExact(id) FROM events");
        }
        // What would come twice comes with the next polls.
        TimeUnit.SECONDS.sleep(2);
        assertThat(query("SELECT count(), sum(id) FROM events"))
                .as("%s", walk)
                .isEqualTo(rows + "\t" + (long) rows * (rows - 1) / 2);
    }

    private static String rows(int first, int count) {
        StringBuilder rows = new StringBuilder();
        for (int id = first; id < first + count; id++) {
            rows.append("{\"id\":")
                    .append(id)
                    .append(",\"name\":\"row ")
                    .append(id)
                    .append("\"}\n");
        }
        return rows.toString();
    }

    private int killAll(String main) {
        return Victims.kill(program.process().descendants(), main).size();
    }
}
