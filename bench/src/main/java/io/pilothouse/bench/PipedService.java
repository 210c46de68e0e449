package io.pilothouse.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service of the program on real databases, into which pipes carry data; SQL goes straight to its database. */
final class PipedService implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PORT = Pattern.compile("<http_port>(\\d+)</http_port>");
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long LOOK_MILLIS = 20;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Program program;
    private final String service;
    private final URI database;
    private final String password;

    /** {@code reached} are the places that its database may connect to. */
    PipedService(Machine machine, List<String> reached) throws IOException, InterruptedException {
        Path data = machine.newFolder("piped").resolve("data");
        program = Program.start(
                machine, data, true, List.of("--plane=local", "--egress=public," + String.join(",", reached)));
        String wanted = """
                {"name": "Piped", "provider": "aws", "region": "us-east-1", "idleScaling": false,
                 "ipAccessList": [{"source": "127.0.0.1"}]}""";
        JsonNode created = send("POST", program.services(), wanted).path("result");
        String id = created.path("service").path("id").asText();
        password = created.path("password").asText();
        service = program.services() + "/" + id;
        await(service, "running"::equals);
        Matcher port = PORT.matcher(
                Files.readString(data.resolve("services").resolve(id).resolve("config.xml")));
        if (!port.find()) {
            throw new IOException("The database of the service has no port");
        }
        database = URI.create("http://127.0.0.1:" + port.group(1) + "/");
    }

    Program program() {
        return program;
    }

    private JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(program.management().resolve(path))
                        .header("Authorization", program.authorization())
                        .header("Content-Type", "application/json")
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != OK && answer.statusCode() != NOT_FOUND) {
            throw new IOException(method + " " + path + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** Makes a pipe and returns its path. */
    String pipe(String wanted) throws IOException, InterruptedException {
        JsonNode made = send("POST", service + "/clickpipes", wanted).path("result");
        return service + "/clickpipes/" + made.path("id").asText();
    }

    void command(String pipe, String command) throws IOException, InterruptedException {
        send("PATCH", pipe + "/state", "{\"command\": \"" + command + "\"}");
    }

    void awaitState(String pipe, String state) throws IOException, InterruptedException {
        await(pipe, state::equals);
    }

    private void await(String path, Predicate<String> wanted) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        JsonNode seen = send("GET", path, "");
        while (!wanted.test(seen.path("result").path("state").asText())) {
            if (System.nanoTime() > end) {
                throw new IOException("This does not become as it should: " + seen);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            seen = send("GET", path, "");
        }
    }

    /** Deletes a pipe, and waits until nothing of it runs. */
    void delete(String pipe) throws IOException, InterruptedException {
        send("DELETE", pipe, "");
        await(pipe, String::isEmpty);
    }

    String query(String sql) throws IOException, InterruptedException {
        return ask(sql, BodyPublishers.noBody());
    }

    /** What a query gives, into a file. */
    void query(String sql, Path file) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                client.send(request("", BodyPublishers.ofString(sql)), BodyHandlers.ofInputStream());
        try (InputStream in = answer.body()) {
            Files.copy(in, file);
        }
    }

    /** Takes a file into a table. */
    void insert(String sql, Path file) throws IOException, InterruptedException {
        ask(sql, BodyPublishers.ofFile(file));
    }

    private String ask(String sql, BodyPublisher body) throws IOException, InterruptedException {
        boolean alone = body.contentLength() == 0;
        HttpResponse<String> answer = client.send(
                request(alone ? "" : sql, alone ? BodyPublishers.ofString(sql) : body), BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException(answer.body());
        }
        return answer.body().strip();
    }

    private HttpRequest request(String sql, BodyPublisher body) {
        String query = sql.isEmpty() ? "" : "?query=" + sql.replace(" ", "%20");
        return HttpRequest.newBuilder(database.resolve("/" + query))
                .header("X-ClickHouse-User", "default")
                .header("X-ClickHouse-Key", password)
                .POST(body)
                .build();
    }

    /** How many rows a table has; 0 while there is no such table. */
    long count(String table) throws IOException, InterruptedException {
        String found =
                query("SELECT ifNull(sum(total_rows), 0) FROM system.tables WHERE database = 'default' AND name = '"
                        + table + "'");
        return Long.parseLong(found);
    }

    /** Waits until a table has that many rows, and returns how many it has. */
    long awaitRows(String table, long rows) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long seen = count(table);
        while (seen < rows) {
            if (System.nanoTime() > end) {
                throw new IOException(
                        table + " has " + seen + " of " + rows + " rows: " + send("GET", service + "/clickpipes", ""));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            seen = count(table);
        }
        return seen;
    }

    /**
     * Rows a second between the first block in a table and nearly the last, which may wait for more to come; of a
     * single block, since this was called.
     */
    double perSecond(String table, long rows) throws IOException, InterruptedException {
        long called = System.nanoTime();
        long first = awaitRows(table, 1);
        if (first >= rows) {
            return first / ((System.nanoTime() - called) / 1e9);
        }
        long begun = System.nanoTime();
        long last = awaitRows(table, Math.max(first + 1, rows * 9 / 10));
        return (last - first) / ((System.nanoTime() - begun) / 1e9);
    }

    @Override
    public void close() {
        client.close();
        program.close();
    }
}
