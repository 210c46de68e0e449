package io.pilothouse.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A real broker of Kafka as a process of this machine, open at one port and with logins at another. */
final class KafkaBroker implements AutoCloseable {
    static final String USER = "ada";
    static final String PASSWORD = "a-broker-\"secret\"-nobody-shall-see";
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
    /** A machine that does much else at once is slow, which is not what tests are about. */
    private static final int PATIENCE_MILLIS = 180_000;

    private static final String ID = "4L6g3nShT-eMCtK--X86sw";

    private final Path folder;
    private final int open;
    private final int login;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private final Process process;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    private KafkaBroker(Path folder, int open, int login, Process process) {
        this.folder = folder;
        this.open = open;
        this.login = login;
        this.process = process;
        // A request that is repeated finds that the topic exists.
        this.admin = Admin.create(Map.of(
                "bootstrap.servers",
                brokers(),
                "default.api.timeout.ms",
                PATIENCE_MILLIS,
                "request.timeout.ms",
                PATIENCE_MILLIS));
        // One at once: a new topic may refuse the first batch and take the second, and never the first again.
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        brokers(),
                        "linger.ms",
                        5,
                        "enable.idempotence",
                        true,
                        "max.in.flight.requests.per.connection",
                        1,
                        "max.block.ms",
                        PATIENCE_MILLIS,
                        "delivery.timeout.ms",
                        PATIENCE_MILLIS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static KafkaBroker start(Path folder) throws IOException, InterruptedException {
        int open;
        int login;
        int controller;
        try (ServerSocket first = free();
                ServerSocket second = free();
                ServerSocket third = free()) {
            open = first.getLocalPort();
            login = second.getLocalPort();
            controller = third.getLocalPort();
        }
        Path properties = folder.resolve("broker.properties");
        Files.writeString(properties, properties(folder, open, login, controller));
        Process format = java(
                folder,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                ID,
                "-c",
                properties.toString(),
                "--add-scram",
                "SCRAM-SHA-256=[name=" + USER + ",password=" + PASSWORD + "]",
                "--add-scram",
                "SCRAM-SHA-512=[name=" + USER + ",password=" + PASSWORD + "]");
        if (format.waitFor() != 0) {
            throw new IOException(Files.readString(folder.resolve("broker.log")));
        }
        KafkaBroker broker = new KafkaBroker(folder, open, login, run(folder));
        broker.awaitAnswer();
        return broker;
    }

    private static ServerSocket free() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static String properties(Path folder, int open, int login, int controller) {
        return String.format(
                Locale.ROOT,
                """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%3$d
            controller.listener.names=CONTROLLER
            listeners=OPEN://127.0.0.1:%1$d,LOGIN://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
            advertised.listeners=OPEN://127.0.0.1:%1$d,LOGIN://127.0.0.1:%2$d
            listener.security.protocol.map=OPEN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
            inter.broker.listener.name=OPEN
            sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER
            listener.name.login.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_%4$s="%5$s";
            listener.name.login.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
            listener.name.login.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
            listener.name.login.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
            listener.name.login.oauthbearer.sasl.server.callback.handler.class=io.pilothouse.server.MskTokens
            log.dirs=%6$s
            auto.create.topics.enable=false
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            group.initial.rebalance.delay.ms=0
            broker.session.timeout.ms=%7$d
            num.network.threads=1
            num.io.threads=2
            log.cleaner.dedupe.buffer.size=2097152
            """,
                open,
                login,
                controller,
                USER,
                PASSWORD.replace("\"", "\\\\\""),
                folder.resolve("broker"),
                PATIENCE_MILLIS);
    }

    private static Process run(Path folder) throws IOException {
        return java(folder, "kafka.Kafka", folder.resolve("broker.properties").toString());
    }

    private static Process java(Path folder, String main, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        line.addAll(List.of(arguments));
        File log = folder.resolve("broker.log").toFile();
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(STARTS_WITHIN);
        while (true) {
            try {
                // It answers before its controller lets it have partitions.
                if (!admin.describeCluster().nodes().get().isEmpty()) {
                    return;
                }
            } catch (ExecutionException notYet) {
                if (!process.isAlive()) {
                    throw new IOException(Files.readString(folder.resolve("broker.log")), notYet);
                }
            }
            if (Instant.now().isAfter(deadline)) {
                throw new IOException(Files.readString(folder.resolve("broker.log")));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Where it listens without a login. */
    String brokers() {
        return "127.0.0.1:" + open;
    }

    /** Where it wants a login. */
    String loginBrokers() {
        return "SASL_PLAINTEXT://127.0.0.1:" + login;
    }

    void topic(String name, int partitions) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all()
                .get();
    }

    void widen(String name, int partitions) throws ExecutionException, InterruptedException {
        admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    /** Sends one message; it is there for good after {@link #flush}. */
    void send(String topic, int partition, @Nullable String key, @Nullable String message) {
        sent.add(producer.send(new ProducerRecord<>(topic, partition, bytes(key), bytes(message))));
    }

    void send(String topic, byte[] message) {
        sent.add(producer.send(new ProducerRecord<>(topic, 0, null, message)));
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    void flush() {
        producer.flush();
        sent.forEach(Future::resultNow);
        sent.clear();
    }

    /** A pipe of JSON messages into a table with an id, a name, and where each was; {@code source} are more of its members. */
    String pipe(String topics, String table, String source) {
        return """
            {"name": "Stream", "source": {"kafka": {"brokers": "%s", "topics": "%s"%s}},
             "destination": {"table": "%s", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "name", "type": "String"},
                 {"name": "partition", "type": "Int32"}, {"name": "offset", "type": "Int64"}]},
             "fieldMappings": [{"sourceField": "id", "destinationField": "id"}, {"sourceField": "name", "destinationField": "name"},
               {"sourceField": "_partition", "destinationField": "partition"}, {"sourceField": "_offset", "destinationField": "offset"}],
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(brokers(), topics, source, table);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
        process.destroyForcibly();
    }
}
