package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that run in a real cluster of Kafka Connect, of two workers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class PipeConnectIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PARTITIONS = 4;
    private static final int ROWS_AT_ONCE = 500;
    private static final String LOGIN = ", \"authentication\": \"SCRAM-SHA-256\", \"credentials\": {\"username\": \""
            + KafkaBroker.USER + "\", \"password\": \"" + KafkaBroker.PASSWORD.replace("\"", "\\\"") + "\"}";

    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private ConnectWorkers connect;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        broker = started.add(KafkaBroker.start(folder));
        connect = started.add(ConnectWorkers.start(folder, broker.brokers(), 2));
        piped = started.add(new PipedProgram(
                new LocalProgram(),
                folder,
                "--pipe-runner",
                "connect=" + connect.addresses(),
                "--pipe-tasks-listen",
                "127.0.0.1:0"));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private void send(String topic, int from, int count) {
        for (int id = from; id < from + count; id++) {
            broker.send(topic, id % PARTITIONS, null, "{\"id\":" + id + ",\"name\":\"n" + id + "\"}");
        }
        broker.flush();
    }

    /** Rows from this one on, some at a time; returns which is next. */
    private int load(int from, int times) {
        int next = from;
        for (int time = 0; time < times; time++) {
            send("events", next, ROWS_AT_ONCE);
            next += ROWS_AT_ONCE;
        }
        return next;
    }

    private void awaitRunning(String pipe) throws IOException, InterruptedException {
        program.await(pipe, body -> body.contains("\"state\":\"Running\""), PATIENCE);
    }

    private static String connector(String pipe) {
        return "pilothouse-" + pipe.substring(pipe.lastIndexOf('/') + 1);
    }

    @Test
    void everyRecordIsThereOnceWhenAWorkerOfConnectIsKilledUnderLoad()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        broker.topic("events", PARTITIONS);
        String pipe =
                piped.create(broker.pipe("events", "events", LOGIN).replace(broker.brokers(), broker.loginBrokers()));
        program.patch(pipe + "/scaling", "{\"replicas\":3}");
        int rows = load(0, 1);
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", rows + "\t" + rows, PATIENCE);
        for (int kill = Walk.length(1, 20); kill > 0; kill--) {
            int victim = connect.workerOf(connect.awaitStatus(connector(pipe), "\"id\":0", "\"id\":2"), 0);
            rows = load(rows, 10);
            connect.kill(victim);
            rows = load(rows, 20);
            connect.startAgain(victim);
            rows = load(rows, 10);
            awaitRunning(pipe);
        }
        piped.awaitAnswer("SELECT count(), sum(id) FROM events", rows + "\t" + (long) rows * (rows - 1) / 2, PATIENCE);
        piped.awaitAnswer(
                "SELECT count() FROM (SELECT arraySort(groupArray(offset)) AS offsets FROM events"
                        + " GROUP BY partition HAVING offsets != arrayMap(x -> toInt64(x), range(length(offsets))))",
                "0");
        String shown = connect.show("/connectors/" + connector(pipe))
                + connect.show("/connectors/" + connector(pipe) + "/tasks");
        assertThat(shown).contains("pilothouse.address").doesNotContain("nobody-shall-see", "events");
    }

    @Test
    void commandsOfThePipeAreThoseOfItsConnector()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        String count = "SELECT count(), uniqExact(id) FROM told";
        broker.topic("told", PARTITIONS);
        String pipe = piped.create(broker.pipe("told", "told", ""));
        send("told", 0, 100);
        piped.awaitAnswer(count, "100\t100", PATIENCE);
        program.patch(pipe + "/state", "{\"command\":\"stop\"}");
        program.await(pipe, body -> body.contains("\"state\":\"Stopped\""), PATIENCE);
        assertThat(connect.awaitStatus(connector(pipe), "\"STOPPED\"", "\"tasks\":[]"))
                .doesNotContain("RUNNING");
        send("told", 100, 100);
        program.patch(pipe + "/scaling", "{\"replicas\":2}");
        program.patch(pipe + "/state", "{\"command\":\"start\"}");
        piped.awaitAnswer(count, "200\t200", PATIENCE);
        connect.awaitStatus(connector(pipe), "\"id\":1");
        awaitRunning(pipe);
        program.await(pipe + "/offsets", body -> body.contains("\"offset\":50"), PATIENCE);

        connect.kill(0);
        connect.kill(1);
        program.await(
                pipe, body -> body.contains("\"state\":\"Degraded\"") && body.contains("Kafka Connect"), PATIENCE);
        send("told", 200, 100);
        connect.startAgain(0);
        connect.startAgain(1);
        piped.awaitAnswer(count, "300\t300", PATIENCE);
        awaitRunning(pipe);

        assertThat(program.send(program.management(pipe).DELETE()).statusCode()).isEqualTo(200);
        connect.awaitStatus(connector(pipe), "\"error_code\":404");
    }
}
