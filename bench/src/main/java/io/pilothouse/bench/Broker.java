package io.pilothouse.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker of Kafka in a process of its own. */
final class Broker implements AutoCloseable {
    private static final String ID = "4L6g3nShT-eMCtK--X86sw";
    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;
    private final String place;
    private final Process process;

    Broker(Machine machine) throws IOException, InterruptedException {
        folder = machine.newFolder("broker");
        int open = freePort();
        int controller = freePort();
        place = "127.0.0.1:" + open;
        Path properties = Files.writeString(folder.resolve("broker.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$s
                controller.listener.names=CONTROLLER
                listeners=OPEN://%1$s,CONTROLLER://127.0.0.1:%2$s
                advertised.listeners=OPEN://%1$s
                listener.security.protocol.map=OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=OPEN
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                group.initial.rebalance.delay.ms=0
                log.cleaner.dedupe.buffer.size=2097152
                """.formatted(
                        place, Integer.toString(controller), folder.resolve("log")));
        if (java(machine, "kafka.tools.StorageTool", "format", "-t", ID, "-c", properties.toString())
                        .waitFor()
                != 0) {
            throw new IOException(Files.readString(folder.resolve("output")));
        }
        process = java(machine, "kafka.Kafka", properties.toString());
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Process java(Machine machine, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(machine.java().toString(), "-Xmx512m", "-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("output").toFile()))
                .start();
    }

    /** As the operator names it to databases, and clients to their libraries. */
    String place() {
        return place;
    }

    /** Makes a topic of the lines of a file, which go to its partitions one after the other. */
    void fill(String topic, int partitions, Path lines) throws IOException, InterruptedException {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", place, "linger.ms", 20, "batch.size", 1 << 18, "buffer.memory", 1L << 26);
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("The broker makes no topic", failed);
        }
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
                BufferedReader reader = Files.newBufferedReader(lines)) {
            int partition = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                var _ = producer.send(
                        new ProducerRecord<>(topic, partition, null, line.getBytes(StandardCharsets.UTF_8)),
                        Broker::check);
                partition = (partition + 1) % partitions;
            }
        }
    }

    private static void check(@Nullable Object sent, @Nullable Exception failure) {
        if (failure != null) {
            throw new IllegalStateException("The broker takes no message", failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
