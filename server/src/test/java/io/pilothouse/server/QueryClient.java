package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Sends SQL to the query host of a program, with a key of its own. */
final class QueryClient implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final TestProgram program;
    private final String service;
    private final String keyId;
    private final String secret;
    private final String id;

    /** Makes a key that may do nothing but ask. */
    QueryClient(TestProgram program, String service) throws IOException, InterruptedException {
        this.program = program;
        this.service = service;
        String made = program.send(program.management(program.organizationUrl() + "/keys")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"name\":\"Asks\",\"roles\":[\"query_endpoints\"]}")))
                .body();
        this.keyId = TestProgram.field(made, "keyId");
        this.secret = TestProgram.field(made, "keySecret");
        this.id = TestProgram.field(made, "id");
    }

    /** Sets the query endpoint of the service to this role, and lists the key. */
    void letIn(String role) throws IOException, InterruptedException {
        HttpResponse<String> set = program.send(
                program.management(program.organizationUrl() + "/services/" + service + "/serviceQueryEndpoint")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"roles\":[\"%s\"],\"openApiKeys\":[\"%s\"],\"allowedOrigins\":\"https://app.example.org\"}"
                                        .formatted(role, id))));
        assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    }

    URI url(String query) {
        return URI.create(program.running().urls().query() + "/service/" + service + "/run" + query);
    }

    HttpRequest.Builder request(String query) {
        String pair = keyId + ":" + secret;
        return HttpRequest.newBuilder(url(query))
                .timeout(Duration.ofSeconds(60))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    HttpResponse<String> run(String query, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(query).POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** As the official client sends a statement: JSON that says it is text. */
    HttpResponse<String> ask(String sql, String format) throws IOException, InterruptedException {
        String body = "{\"runId\":\"00000000-0000-4000-8000-000000000000\",\"sql\":\"" + sql + "\"}";
        return run("?format=" + format, body, "Content-Type", "text/plain", "auth-provider", "custom");
    }

    /** The answer of a statement that must work. */
    String answer(String sql) throws IOException, InterruptedException {
        HttpResponse<String> answer = ask(sql, "TabSeparated");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body().strip();
    }

    HttpClient http() {
        return client;
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
