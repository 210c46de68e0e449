package io.pilothouse.server.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.pipes.Connectors;
import io.pilothouse.pipes.Connectors.Away;
import io.pilothouse.pipes.Connectors.Sight;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked of the REST interface of Kafka Connect, and what its answers mean. */
class RestConnectorsTest {
    /** Nothing listens there. */
    private static final String NOBODY = "http://127.0.0.1:1";

    private final List<String> asked = new ArrayList<>();
    private final Map<String, Said> answers = new ConcurrentHashMap<>();
    private HttpServer server;
    private Connectors connectors;

    private record Said(int status, String body) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            synchronized (asked) {
                asked.add((request + " " + body).strip());
            }
            Said said = answers.getOrDefault(request, new Said(200, "{}"));
            byte[] bytes = said.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(said.status(), bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
        server.start();
        connectors = connectors(NOBODY, address());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static Connectors connectors(String... workers) {
        return new RestConnectors(OutgoingHttp.toAddresses(Duration.ofSeconds(60)), List.of(workers));
    }

    @Test
    void connectorIsPutAndHadRunByTheFirstWorkerThatAnswers() throws Away {
        connectors.run("one", Map.of("tasks.max", "2"));
        assertThat(asked)
                .containsExactly("PUT /connectors/one/config {\"tasks.max\":\"2\"}", "PUT /connectors/one/resume");
    }

    @Test
    void stateOfAConnectorAndItsTasksIsOneSight() throws Away {
        status(200, "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"id\":0,\"state\":\"RUNNING\"}]}");
        assertThat(connectors.look("one")).isEqualTo(new Sight.Running());
        status(200, "{\"connector\":{\"state\":\"PAUSED\"},\"tasks\":[{\"id\":0,\"state\":\"PAUSED\"}]}");
        assertThat(connectors.look("one")).isEqualTo(new Sight.Still());
        status(200, "{\"connector\":{\"state\":\"STOPPED\"},\"tasks\":[]}");
        assertThat(connectors.look("one")).isEqualTo(new Sight.Still());
        status(
                200,
                "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"state\":\"RUNNING\"},{\"state\":\"FAILED\",\"trace\":\"It broke\\n at x\"}]}");
        assertThat(connectors.look("one")).isEqualTo(new Sight.Failed("It broke"));
        status(404, "{\"error_code\":404,\"message\":\"No status found\"}");
        assertThat(connectors.look("one")).isEqualTo(new Sight.Missing());
    }

    private void status(int status, String body) {
        answers.put("GET /connectors/one/status", new Said(status, body));
    }

    @Test
    void whatIsNotThereIsStoppedAndDeletedAlready() throws Away {
        answers.put("PUT /connectors/one/stop", new Said(404, "{}"));
        answers.put("DELETE /connectors/one", new Said(404, "{}"));
        connectors.stop("one");
        connectors.delete("one");
        connectors.restart("one");
        assertThat(asked)
                .containsExactly(
                        "PUT /connectors/one/stop",
                        "DELETE /connectors/one",
                        "POST /connectors/one/restart?includeTasks=true&onlyFailed=true");
    }

    @Test
    void whatKafkaConnectSaysIsInTheSentence() {
        answers.put("PUT /connectors/one/config", new Said(400, "{\"message\":\"No such class\\nor so\"}"));
        assertThatThrownBy(() -> connectors.run("one", Map.of()))
                .isInstanceOf(Away.class)
                .hasMessage("Kafka Connect refuses the connector: No such class");
        answers.put("PUT /connectors/one/config", new Said(409, "{\"message\":\"rebalance in process\"}"));
        assertThatThrownBy(() -> connectors.run("one", Map.of()))
                .hasMessage("Kafka Connect is sharing out its tasks: rebalance in process");
        answers.put("PUT /connectors/one/config", new Said(500, "<html>"));
        assertThatThrownBy(() -> connectors.run("one", Map.of()))
                .hasMessageEndingWith("cannot run the connector: its answer is 500");
        assertThatThrownBy(() -> connectors(NOBODY).stop("one"))
                .hasMessageStartingWith("Kafka Connect (" + NOBODY + ") does not answer: ");
    }
}
