package io.pilothouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.pilothouse.testkit.PythonPackage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real S3 server on this machine (moto), with one bucket; it speaks SQS and Kinesis too. Fetched once for all runs
 * with pip; where that cannot be, its tests are skipped.
 */
final class ObjectServer implements AutoCloseable {
    static final String KEY_ID = "testkey";
    static final String SECRET = "a-storage-secret-nobody-shall-see";
    private static final String VERSION = "5.2.5";
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final String address;

    private ObjectServer(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    static ObjectServer start(Path folder) throws IOException, InterruptedException {
        Path modules = PythonPackage.folder("moto[s3,server]", VERSION, "moto.server");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // On every address, so that one can be allowed to databases and another not.
        ProcessBuilder builder = new ProcessBuilder(
                        "python3", "-m", "moto.server", "-H", "0.0.0.0", "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("objects.log").toFile());
        builder.environment().put("PYTHONPATH", modules.toString());
        ObjectServer server = new ObjectServer(builder.start(), "http://127.0.0.1:" + port);
        server.awaitAnswer();
        server.send("PUT", "", new byte[0]);
        return server;
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(STARTS_WITHIN);
        while (true) {
            try {
                send("GET", "", new byte[0]);
                return;
            } catch (IOException notYet) {
                if (Instant.now().isAfter(deadline) || !process.isAlive()) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** As the operator names it to the databases. */
    String place() {
        return URI.create(address).getAuthority();
    }

    String address() {
        return address;
    }

    String url(String keys) {
        return address + "/landing/" + keys;
    }

    void put(String key, String text) throws IOException, InterruptedException {
        put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    void put(String key, byte[] bytes) throws IOException, InterruptedException {
        String path = URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        int status = send("PUT", "/" + path, bytes);
        if (status != 200) {
            throw new IOException("The S3 server answers " + status);
        }
    }

    void delete(String key) throws IOException, InterruptedException {
        send("DELETE", "/" + key, new byte[0]);
    }

    /** A queue that is told of every file that is made; a message that was received comes again after two seconds. */
    String queue(String name) throws IOException, InterruptedException {
        String url = ask("CreateQueue", Map.of("QueueName", name, "Attributes", Map.of("VisibilityTimeout", "2")))
                .path("QueueUrl")
                .asText();
        String arn = "arn:aws:sqs:us-east-1:123456789012:" + name;
        String told = "<NotificationConfiguration><QueueConfiguration><Queue>" + arn
                + "</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration></NotificationConfiguration>";
        int status = send("PUT", "?notification", told.getBytes(StandardCharsets.UTF_8));
        if (status != 200) {
            throw new IOException("The S3 server answers " + status);
        }
        return url;
    }

    void tell(String queue, String message) throws IOException, InterruptedException {
        ask("SendMessage", Map.of("QueueUrl", queue, "MessageBody", message));
    }

    /** How many messages were not deleted. */
    int left(String queue) throws IOException, InterruptedException {
        JsonNode attributes = ask("GetQueueAttributes", Map.of("QueueUrl", queue, "AttributeNames", List.of("All")))
                .path("Attributes");
        return attributes.path("ApproximateNumberOfMessages").asInt()
                + attributes.path("ApproximateNumberOfMessagesNotVisible").asInt();
    }

    private JsonNode ask(String operation, Map<String, ?> question) throws IOException, InterruptedException {
        return new AwsQuestions(client, address, KEY_ID, "sqs", "1.0", "AmazonSQS.").ask(operation, question);
    }

    /** It believes every signature. */
    private int send(String method, String path, byte[] body) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(address + "/landing" + path))
                                .header("Authorization", AwsQuestions.authorization(KEY_ID, "s3"))
                                .header("Content-Type", "application/octet-stream")
                                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** A pipe of JSON files into a table with an id and a name. */
    String pipe(String keys, String table, Map<String, String> more) {
        StringBuilder source = new StringBuilder();
        more.forEach((name, value) ->
                source.append(", \"").append(name).append("\": ").append(value));
        return """
            {"name": "Files", "source": {"objectStorage": {"url": "%s", "authentication": "IAM_USER",
              "accessKey": {"accessKeyId": "%s", "secretKey": "%s"}%s}},
             "destination": {"table": "%s", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "name", "type": "String"}]},
             "settings": {"object_storage_polling_interval_ms": 500}}""".formatted(url(keys), KEY_ID, SECRET, source, table);
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly();
    }
}
