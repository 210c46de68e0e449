package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.ApiChild;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The real program, killed while the messages of its alert are on their way: all of them arrive, and in their order.
 */
class AlertDurabilityIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TILES = """
            {'name': 'Mine', 'tiles': [{'id': 'running', 'name': 'Running services', 'x': 0, 'y': 0, 'w': 6, 'h': 4,
             'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last',
             'filter': {'state': 'running'}}}]}""";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private ApiChild start() throws IOException {
        return ApiChild.up(
                folder,
                "--simulated-provisioning-time",
                "50ms",
                "--webhook-allow",
                "127.0.0.0/8",
                "--log-level",
                "warning");
    }

    private JsonNode alerts(ApiChild program, String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(program.credential("alerts_url") + "/api/v2" + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + program.credential("token"))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(ApiJson.text(body)))
                .build();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        JsonNode answer = ApiJson.read(response.body());
        assertThat(response.statusCode()).as("%s", answer).isEqualTo(200);
        return answer.path("data");
    }

    private void createService(ApiChild program) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(program.management() + "/v1/organizations/"
                        + program.credential("organization_id") + "/services"))
                .timeout(PATIENCE)
                .header("Authorization", basic(program))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
    }

    private static String basic(ApiChild program) throws IOException {
        return String.valueOf(ApiCredentials.basic(program.credential("key_id"), program.credential("key_secret"))
                .authorization());
    }

    /** An alert on having no running service, the window of which ends in a few seconds. */
    private static String alert(String dashboard, String webhook, Instant now) {
        Instant start = now.minusSeconds(56).truncatedTo(ChronoUnit.SECONDS);
        return "{'name': 'Nothing runs', 'threshold': 1, 'thresholdType': 'below', 'interval': '1m', 'dashboard': '"
                + dashboard + "', 'tileId': 'running', 'scheduleStartAt': '" + start
                + "', 'channel': {'type': 'webhook', 'webhookId': '" + webhook + "'}}";
    }

    private void awaitState(ApiChild program, String path, String state) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!alerts(program, "GET", path, null).path("state").asString().equals(state)) {
            assertThat(System.nanoTime()).as("the time until it is %s", state).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void findingsAreSentAfterTheKill() throws IOException, InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            receiver.does(WebhookReceiver.hang());
            String path;
            try (ApiChild program = start()) {
                String webhook = alerts(
                                program,
                                "POST",
                                "/webhooks",
                                "{'name': 'Hook', 'service': 'generic', 'url': '" + receiver.url() + "'}")
                        .path("id")
                        .asString();
                String dashboard =
                        alerts(program, "POST", "/dashboards", TILES).path("id").asString();
                path = "/alerts/"
                        + alerts(program, "POST", "/alerts", alert(dashboard, webhook, Instant.now()))
                                .path("id")
                                .asString();
                awaitState(program, path, "firing");
                receiver.take();
                createService(program);
                alerts(program, "PUT", path, alert(dashboard, webhook, Instant.now()));
                awaitState(program, path, "inactive");
                // The first message hangs at its receiver, and the second waits behind it.
                program.kill();
            }
            receiver.does(WebhookReceiver.answer(204));
            try (ApiChild program = start()) {
                Map<String, String> received = new LinkedHashMap<>();
                while (received.size() < 2) {
                    WebhookReceiver.Message message = receiver.take();
                    String state = ApiJson.read(message.body()).path("state").asString();
                    received.putIfAbsent(String.valueOf(message.headers().get("webhook-id")), state);
                }
                assertThat(received.values()).containsExactly("firing", "resolved");
                List<String> ids = new ArrayList<>();
                receiver.messages().forEach(message -> ids.add(message.headers().get("webhook-id")));
                assertThat(ids.getFirst()).as("sent again under the id it had").isIn(received.keySet());
                awaitState(program, path, "inactive");
            }
        }
    }
}
