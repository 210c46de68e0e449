package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Workers of Kafka Connect that form one cluster, as processes of this machine with the built plugin. */
final class ConnectWorkers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path folder;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    private ConnectWorkers(Path folder) {
        this.folder = folder;
    }

    static ConnectWorkers start(Path folder, String brokers, int count) throws IOException, InterruptedException {
        ConnectWorkers workers = new ConnectWorkers(folder);
        for (int number = 0; number < count; number++) {
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                workers.ports.add(free.getLocalPort());
            }
            Files.writeString(workers.properties(number), properties(brokers, workers.ports.get(number)));
            workers.processes.add(workers.run(number));
        }
        workers.awaitAnswer();
        return workers;
    }

    private static String properties(String brokers, int port) {
        Path plugin = Path.of("target", "pilothouse-connect.jar").toAbsolutePath();
        assertThat(plugin).as("the plugin, which Maven's package phase builds").exists();
        return String.format(Locale.ROOT, """
                bootstrap.servers=%s
                group.id=connect
                config.storage.topic=connect-configs
                offset.storage.topic=connect-offsets
                status.storage.topic=connect-status
                config.storage.replication.factor=1
                offset.storage.replication.factor=1
                status.storage.replication.factor=1
                offset.storage.partitions=1
                status.storage.partitions=1
                key.converter=org.apache.kafka.connect.json.JsonConverter
                value.converter=org.apache.kafka.connect.json.JsonConverter
                listeners=http://127.0.0.1:%d
                rest.advertised.host.name=127.0.0.1
                plugin.path=%s
                plugin.discovery=service_load
                scheduled.rebalance.max.delay.ms=0
                session.timeout.ms=6000
                heartbeat.interval.ms=1000
                """, brokers, port, plugin);
    }

    private Path properties(int number) {
        return folder.resolve("connect" + number + ".properties");
    }

    private File log(int number) {
        return folder.resolve("connect" + number + ".log").toFile();
    }

    private Process run(int number) throws IOException {
        Path libraries = Path.of("..", "connect-workers", "target", "lib").toAbsolutePath();
        assertThat(libraries)
                .as("Kafka Connect, which Maven's package phase fetches")
                .isDirectory();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        libraries.normalize() + File.separator + "*",
                        "org.apache.kafka.connect.cli.ConnectDistributed",
                        properties(number).toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(number)))
                .start();
    }

    /** Waits until one takes connectors; the others join it in their own time. */
    private void awaitAnswer() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!show("/connectors").equals("[]")) {
            assertThat(Instant.now())
                    .as("%s", Files.readString(log(0).toPath()))
                    .isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** The REST addresses, as an operator names them. */
    String addresses() {
        return String.join(",", ports.stream().map(ConnectWorkers::address).toList());
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** What one of them says about a connector's state, once it has these words. */
    String awaitStatus(String connector, String... words) throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String status = "";
        while (!List.of(words).stream().allMatch(status::contains)) {
            assertThat(Instant.now()).as(status).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
            status = show("/connectors/" + connector + "/status");
        }
        return status;
    }

    /** What the first of them that answers shows there; empty where none does. */
    String show(String path) throws InterruptedException {
        for (int port : ports) {
            try {
                return http.send(
                                HttpRequest.newBuilder(URI.create(address(port) + path))
                                        .timeout(Duration.ofSeconds(60))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
            } catch (IOException notNow) {
                // Another may.
            }
        }
        return "";
    }

    /** The number of the worker that this status names for a task. */
    int workerOf(String status, int task) {
        String words = status.substring(status.indexOf("\"tasks\""));
        String mine = words.substring(words.indexOf("\"id\":" + task));
        for (int number = 0; number < ports.size(); number++) {
            if (mine.substring(0, mine.indexOf('}')).contains("127.0.0.1:" + ports.get(number))) {
                return number;
            }
        }
        throw new AssertionError("No worker of ours has task " + task + ": " + status);
    }

    void kill(int number) throws InterruptedException {
        processes.get(number).destroyForcibly().waitFor();
    }

    /** Starts one that was killed; it answers later. */
    void startAgain(int number) throws IOException {
        processes.set(number, run(number));
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        http.close();
    }
}
