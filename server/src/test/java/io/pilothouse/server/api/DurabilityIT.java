package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.ApiChild;
import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The real program, killed again and again while many write to it: every answered write is there afterwards. */
class DurabilityIT {
    private static final int ROUNDS = Walk.length(20, 300);
    private static final int WRITERS = 16;
    private static final int MIN_ANSWERS = 40;
    private static final int MAX_ANSWERS = 180;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    /** Every name that was answered, by the id that was answered with it. */
    private final Map<String, String> answered = new ConcurrentHashMap<>();

    /** One life of the program, and a client of it. */
    private record Life(HttpClient client, String organization, String authorization) {
        static Life of(ApiChild program, HttpClient client) throws IOException {
            String organization = program.management() + "/v1/organizations/" + program.credential("organization_id");
            ApiCredentials key = ApiCredentials.basic(program.credential("key_id"), program.credential("key_secret"));
            return new Life(client, organization, Objects.requireNonNull(key.authorization()));
        }

        private HttpRequest.Builder request(String url) {
            return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).header("Authorization", authorization);
        }

        private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).isEqualTo(200);
            return ApiJson.read(response.body()).path("result");
        }

        String create(String name) throws IOException, InterruptedException {
            return send(request(organization + "/services")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"" + name + "\"}")))
                    .path("service")
                    .path("id")
                    .asString();
        }

        JsonNode services() throws IOException, InterruptedException {
            return send(request(organization + "/services"));
        }

        JsonNode activities() throws IOException, InterruptedException {
            return send(request(organization + "/activities"));
        }
    }

    @Test
    void everyServiceThatWasAnsweredOutlivesEveryKill() throws IOException, InterruptedException {
        RandomGenerator random = Walk.begin(DurabilityIT.class).random();
        for (int round = 0; round < ROUNDS; round++) {
            try (ApiChild program = start();
                    HttpClient client = HttpClient.newHttpClient()) {
                Life life = Life.of(program, client);
                requireEverything(life);
                writeUntilKilled(program, life, round, random.nextInt(MIN_ANSWERS, MAX_ANSWERS));
            }
        }
        try (ApiChild program = start();
                HttpClient client = HttpClient.newHttpClient()) {
            Life life = Life.of(program, client);
            requireEverything(life);
            awaitAllRunning(life);
        }
    }

    private ApiChild start() throws IOException {
        return ApiChild.up(folder, "--simulated-provisioning-time", "50ms", "--log-level", "warning");
    }

    /** Writers write until the connection breaks under them; the kill comes once enough was answered. */
    private void writeUntilKilled(ApiChild program, Life life, int round, int answers) throws InterruptedException {
        int before = answered.size();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                String name = "Round " + round + " writer " + writer + " service ";
                writers.execute(() -> write(life, name));
            }
            long end = System.nanoTime() + PATIENCE.toNanos();
            // The rounds end at different moments of the writing.
            while (answered.size() < before + answers) {
                assertThat(System.nanoTime()).as("the time to write").isLessThan(end);
                Thread.onSpinWait();
            }
            program.kill();
        }
    }

    private void write(Life life, String name) {
        try {
            for (int number = 0; ; number++) {
                answered.put(life.create(name + number), name + number);
            }
        } catch (IOException killed) {
            // A request that was not answered may be there or not.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything that was answered is there as it was asked for, and nothing is there by half. */
    private void requireEverything(Life life) throws IOException, InterruptedException {
        Map<String, String> stored = new HashMap<>();
        life.services()
                .forEach(service -> stored.put(
                        service.path("id").asString(), service.path("name").asString()));
        assertThat(stored).containsAllEntriesOf(answered);
        Set<String> listed = new HashSet<>();
        life.activities().forEach(line -> {
            if (line.path("type").asString().equals("service_create")) {
                listed.add(line.path("serviceId").asString());
            }
        });
        assertThat(listed).as("the services in the history").isEqualTo(stored.keySet());
    }

    /** A service without its task would wait for ever. */
    private static void awaitAllRunning(Life life) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!life.services()
                .valueStream()
                .allMatch(service -> service.path("state").asString().equals("running"))) {
            assertThat(System.nanoTime()).as("the time until all run").isLessThan(end);
        }
    }
}
