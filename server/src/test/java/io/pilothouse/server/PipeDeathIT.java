package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers, databases and control planes are killed while data moves, and in the end each row is there once. */
class PipeDeathIT {
    private static final int ROWS_AT_ONCE = 2000;
    private static final int PARTITIONS = 4;

    @TempDir
    private Path folder;

    private ObjectServer objects;
    private KinesisServer kinesis;
    private KillableProgram program;

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        objects = ObjectServer.start(folder);
        kinesis = KinesisServer.start(folder);
        program = new KillableProgram(folder, "--egress", objects.place(), "--aws-kinesis-url", kinesis.address());
    }

    @AfterEach
    void stop() throws IOException {
        program.close();
        kinesis.close();
        objects.close();
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
                // By the order of the rows: the last bits of their hashes are all the same.
                int next = first;
                for (String row : rows(first, count).lines().toList()) {
                    broker.send("events", next % PARTITIONS, null, row);
                    next++;
                }
                broker.flush();
            });
            assertThat(
                            program.query(
                                    "SELECT count() FROM (SELECT arraySort(groupArray(offset)) AS offsets FROM events"
                                            + " GROUP BY partition HAVING offsets != arrayMap(x -> toInt64(x), range(length(offsets))))"))
                    .isEqualTo("0");
            assertThat(program.query("SELECT uniqExact(partition) FROM events"))
                    .isEqualTo(Integer.toString(PARTITIONS));
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
        String pipe = program.create(body);
        program.await(pipe, "\"state\":\"Running\"");
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
                case 0 -> workers += program.kill("WorkerMain");
                case 1 -> databases += program.kill("BundledMain");
                default -> program.killAndStart();
            }
            int replicas = random.nextInt(1, 5);
            program.await(program.service(), "\"state\":\"running\"");
            program.send("PATCH", pipe + "/scaling", "{\"replicas\":" + replicas + "}");
        }
        System.out.printf("Killed %d workers and %d databases%n", workers, databases);
        assertThat(workers + databases).as("%s", walk).isPositive();
        program.awaitAnswer(walk, "SELECT count(), uniqExact(id) FROM events", rows + "\t" + rows);
        // What would come twice comes with the next polls.
        TimeUnit.SECONDS.sleep(2);
        assertThat(program.query("SELECT count(), sum(id) FROM events"))
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
}
