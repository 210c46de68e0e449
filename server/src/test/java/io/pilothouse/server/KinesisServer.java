package io.pilothouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.pilothouse.testkit.NodePackage;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real server that speaks Kinesis, as a producer sees it: kinesalite, whose shards split, merge and end as Amazon's
 * do, or one that was started for something else.
 */
final class KinesisServer implements AutoCloseable {
    static final String KEY_ID = "streamkey";
    static final String SECRET = "a-stream-secret-nobody-shall-see";
    private static final String VERSION = "3.3.3";
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final int MAX_RECORDS = 500;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;
    private final @Nullable Process process;

    /** One that runs already. */
    KinesisServer(String address) {
        this(address, null);
    }

    private KinesisServer(String address, @Nullable Process process) {
        this.address = address;
        this.process = process;
    }

    static KinesisServer start(Path folder) throws IOException, InterruptedException {
        Path program = NodePackage.program("kinesalite", VERSION);
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--port=" + port,
                        "--createStreamMs=0",
                        "--updateStreamMs=0",
                        "--shardLimit=1000")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("kinesis.log").toFile())
                .start();
        KinesisServer server = new KinesisServer("http://127.0.0.1:" + port, process);
        Instant deadline = Instant.now().plus(STARTS_WITHIN);
        while (true) {
            try {
                server.call("ListStreams", Map.of());
                return server;
            } catch (IOException notYet) {
                if (Instant.now().isAfter(deadline) || !process.isAlive()) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    String address() {
        return address;
    }

    private JsonNode call(String operation, Map<String, ?> question) throws IOException, InterruptedException {
        return new AwsQuestions(client, address + "/", KEY_ID, "kinesis", "1.1", "Kinesis_20131202.")
                .ask(operation, question);
    }

    void stream(String name, int shards) throws IOException, InterruptedException {
        call("CreateStream", Map.of("StreamName", name, "ShardCount", shards));
        awaitActive(name);
    }

    private void awaitActive(String name) throws IOException, InterruptedException {
        while (!call("DescribeStream", Map.of("StreamName", name))
                .at("/StreamDescription/StreamStatus")
                .asText()
                .equals("ACTIVE")) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Those that take records, in the order of the keys' hashes that they take. */
    List<JsonNode> openShards(String name) throws IOException, InterruptedException {
        List<JsonNode> open = new ArrayList<>();
        call("ListShards", Map.of("StreamName", name)).path("Shards").forEach(shard -> {
            if (shard.at("/SequenceNumberRange/EndingSequenceNumber").isMissingNode()) {
                open.add(shard);
            }
        });
        open.sort((one, other) -> first(one).compareTo(first(other)));
        return open;
    }

    private static BigInteger first(JsonNode shard) {
        return new BigInteger(shard.at("/HashKeyRange/StartingHashKey").asText());
    }

    /** Two shards take the place of one. */
    void split(String name, JsonNode shard) throws IOException, InterruptedException {
        BigInteger last = new BigInteger(shard.at("/HashKeyRange/EndingHashKey").asText());
        call(
                "SplitShard",
                Map.of(
                        "StreamName",
                        name,
                        "ShardToSplit",
                        shard.path("ShardId").asText(),
                        "NewStartingHashKey",
                        first(shard).add(last).shiftRight(1).toString()));
        awaitActive(name);
    }

    /** One shard takes the place of two neighbours. */
    void merge(String name, JsonNode shard, JsonNode next) throws IOException, InterruptedException {
        call(
                "MergeShards",
                Map.of(
                        "StreamName",
                        name,
                        "ShardToMerge",
                        shard.path("ShardId").asText(),
                        "AdjacentShardToMerge",
                        next.path("ShardId").asText()));
        awaitActive(name);
    }

    /** Puts messages, each with its own text as its key. */
    void put(String name, List<String> messages) throws IOException, InterruptedException {
        for (int from = 0; from < messages.size(); from += MAX_RECORDS) {
            List<Map<String, String>> records = new ArrayList<>();
            for (String message : messages.subList(from, Math.min(messages.size(), from + MAX_RECORDS))) {
                records.add(record(Integer.toString(message.hashCode()), message.getBytes(StandardCharsets.UTF_8)));
            }
            putAll(name, records);
        }
    }

    /** Puts one message under a key. */
    void put(String name, String key, byte[] message) throws IOException, InterruptedException {
        putAll(name, List.of(record(key, message)));
    }

    private static Map<String, String> record(String key, byte[] message) {
        return Map.of("PartitionKey", key, "Data", Base64.getEncoder().encodeToString(message));
    }

    private void putAll(String name, List<Map<String, String>> records) throws IOException, InterruptedException {
        JsonNode answer = call("PutRecords", Map.of("StreamName", name, "Records", records));
        if (answer.path("FailedRecordCount").asInt() != 0) {
            throw new IOException(answer.toString());
        }
    }

    /** A pipe of JSON messages into a table with an id and a name; {@code source} are more of its members. */
    static String pipe(String stream, String table, String source) {
        return """
            {"name": "Stream", "source": %s,
             "destination": {"table": "%s", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "name", "type": "String"}]},
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(source(stream, source), table);
    }

    /** A stream here, as the source of a pipe with these members more. */
    static String source(String stream, String more) {
        return """
            {"kinesis": {"streamName": "%s", "region": "us-east-1", "authentication": "IAM_USER",
               "accessKey": {"accessKeyId": "%s", "secretKey": "%s"}%s}}""".formatted(stream, KEY_ID, SECRET, more);
    }

    @Override
    public void close() {
        client.close();
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
