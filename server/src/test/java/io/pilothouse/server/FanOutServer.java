package io.pilothouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Enhanced fan-out in front of a server of Kinesis that has none: consumers are registered here, and subscriptions are
 * fed from what its shards hold. It ends a subscription after seconds, where Kinesis does after minutes.
 */
final class FanOutServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TYPE = "application/x-amz-json-1.1";
    private static final Duration HOLDS = Duration.ofSeconds(6);
    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private final HttpServer server;
    private final String behind;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    /** By their ARNs, how often each was looked at. */
    private final Map<String, AtomicInteger> consumers = new ConcurrentHashMap<>();

    private final Map<String, Instant> subscribedAt = new ConcurrentHashMap<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private volatile boolean full;

    private FanOutServer(HttpServer server, String behind) {
        this.server = server;
        this.behind = behind;
    }

    static FanOutServer before(String address) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FanOutServer server = new FanOutServer(http, address);
        http.setExecutor(server.threads);
        http.createContext("/", server::answer);
        http.start();
        return server;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Which consumers there are, by their ARNs. */
    Set<String> consumers() {
        return Set.copyOf(consumers.keySet());
    }

    int subscriptions() {
        return subscriptions.get();
    }

    /** Whether somebody has asked for this operation. */
    boolean wasAsked(String operation) {
        return asked.contains(operation);
    }

    /** From now on it registers no consumer, or does again. */
    void setFull(boolean next) {
        full = next;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String target = String.valueOf(exchange.getRequestHeaders().getFirst("x-amz-target"));
            String operation = target.substring(target.indexOf('.') + 1);
            asked.add(operation);
            byte[] body = exchange.getRequestBody().readAllBytes();
            JsonNode question = JSON.readTree(body);
            String arn = question.path("StreamARN").asText("") + "/consumer/"
                    + question.path("ConsumerName").asText("") + ":1";
            switch (operation) {
                case "RegisterStreamConsumer" -> {
                    if (full) {
                        refuse(exchange, "LimitExceededException");
                    } else if (consumers.putIfAbsent(arn, new AtomicInteger()) != null) {
                        refuse(exchange, "ResourceInUseException");
                    } else {
                        send(exchange, 200, "{\"Consumer\":{\"ConsumerStatus\":\"CREATING\"}}");
                    }
                }
                case "DescribeStreamConsumer" -> {
                    @Nullable AtomicInteger looks = consumers.get(arn);
                    if (looks == null) {
                        refuse(exchange, "ResourceNotFoundException");
                    } else {
                        String status = looks.getAndIncrement() == 0 ? "CREATING" : "ACTIVE";
                        send(
                                exchange,
                                200,
                                "{\"ConsumerDescription\":{\"ConsumerARN\":\"" + arn + "\",\"ConsumerStatus\":\""
                                        + status + "\"}}");
                    }
                }
                case "DeregisterStreamConsumer" -> {
                    if (consumers.remove(arn) == null) {
                        refuse(exchange, "ResourceNotFoundException");
                    } else {
                        send(exchange, 200, "");
                    }
                }
                case "SubscribeToShard" -> subscribe(exchange, question);
                default -> passOn(exchange, target, body);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void subscribe(HttpExchange exchange, JsonNode question) throws IOException, InterruptedException {
        String consumer = question.path("ConsumerARN").asText();
        String shard = question.path("ShardId").asText();
        Instant now = Instant.now();
        if (!consumers.containsKey(consumer)) {
            refuse(exchange, "ResourceNotFoundException");
            return;
        }
        @Nullable Instant before = subscribedAt.get(consumer + shard);
        if (before != null && now.isBefore(before.plus(BETWEEN))) {
            refuse(exchange, "ResourceInUseException");
            return;
        }
        subscribedAt.put(consumer + shard, now);
        subscriptions.incrementAndGet();
        String stream = consumer.substring(consumer.indexOf("stream/") + 7, consumer.indexOf("/consumer/"));
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.amazon.eventstream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.write(frame("initial-response", "{}".getBytes(StandardCharsets.UTF_8)));
        out.flush();
        JsonNode place = question.path("StartingPosition");
        ObjectNode asking = JSON.createObjectNode().put("StreamName", stream).put("ShardId", shard);
        asking.put("ShardIteratorType", place.path("Type").asText());
        if (place.has("SequenceNumber")) {
            asking.put("StartingSequenceNumber", place.path("SequenceNumber").asText());
        }
        String last = place.path("SequenceNumber").asText("");
        String iterator = ask("GetShardIterator", asking).path("ShardIterator").asText();
        while (Instant.now().isBefore(now.plus(HOLDS))) {
            JsonNode page = ask(
                    "GetRecords",
                    JSON.createObjectNode().put("ShardIterator", iterator).put("Limit", 100));
            JsonNode records = page.path("Records");
            last = records.isEmpty()
                    ? last
                    : records.get(records.size() - 1).path("SequenceNumber").asText();
            ObjectNode event = JSON.createObjectNode();
            event.set("Records", records);
            event.put("MillisBehindLatest", page.path("MillisBehindLatest").asLong());
            boolean over = page.path("NextShardIterator").isNull()
                    || page.path("NextShardIterator").isMissingNode();
            // Where nothing was read yet there is no number that it could go on after.
            if (over || !last.isEmpty()) {
                if (!over) {
                    event.put("ContinuationSequenceNumber", last);
                }
                out.write(frame("SubscribeToShardEvent", JSON.writeValueAsBytes(event)));
                out.flush();
            }
            if (over) {
                return;
            }
            iterator = page.path("NextShardIterator").asText();
            TimeUnit.MILLISECONDS.sleep(records.isEmpty() ? 100 : 10);
        }
    }

    /** An event as the wire has it. */
    private static byte[] frame(String type, byte[] payload) throws IOException {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        DataOutputStream field = new DataOutputStream(fields);
        for (Map.Entry<String, String> one : Map.of(
                        ":message-type", "event", ":event-type", type, ":content-type", "application/json")
                .entrySet()) {
            field.writeByte(one.getKey().length());
            field.writeBytes(one.getKey());
            field.writeByte(7);
            field.writeUTF(one.getValue());
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(whole);
        out.writeInt(12 + fields.size() + payload.length + 4);
        out.writeInt(fields.size());
        out.writeInt(checksum(whole.toByteArray()));
        fields.writeTo(out);
        out.write(payload);
        out.writeInt(checksum(whole.toByteArray()));
        return whole.toByteArray();
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private JsonNode ask(String operation, JsonNode question) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send("Kinesis_20131202." + operation, JSON.writeValueAsBytes(question));
        if (answer.statusCode() != 200) {
            throw new IOException(operation + ": " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return JSON.readTree(answer.body());
    }

    private HttpResponse<byte[]> send(String target, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(behind + "/"))
                .header("Content-Type", TYPE)
                .header("X-Amz-Target", target)
                .header("X-Amz-Date", "20260101T000000Z")
                .header("Authorization", AwsQuestions.authorization("streamkey", "kinesis"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private void passOn(HttpExchange exchange, String target, byte[] body) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send(target, body);
        exchange.getResponseHeaders().set("Content-Type", TYPE);
        write(exchange, answer.statusCode(), answer.body());
    }

    private static void refuse(HttpExchange exchange, String code) throws IOException {
        send(exchange, 400, "{\"__type\":\"" + code + "\"}");
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        write(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.close();
    }
}
