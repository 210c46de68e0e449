package io.pilothouse.pipes.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a reader and its inserts follow each other, over Kafka's own stand-in for brokers. */
class KafkaSourceTest {
    private static final long PATIENCE_SECONDS = 30;
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final List<String> inserts = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch firstIsSent = new CountDownLatch(1);
    private final CountDownLatch secondIsRead = new CountDownLatch(1);
    private final CountDownLatch bothAreInserted = new CountDownLatch(2);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer database;
    private FakeParent parent;

    @BeforeEach
    void start() throws IOException {
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.setExecutor(threads);
        database.createContext("/", this::insert);
        database.start();
        Tree.Members ledger = Span.tree(List.of(new Span("t", 1, 1, ""), new Span("t:0", 0, 0, "")));
        Tree.Members answer = ledger.with(
                        "address",
                        new Tree.Text(
                                "http://127.0.0.1:" + database.getAddress().getPort()))
                .with("user", new Tree.Text("u"))
                .with("password", new Tree.Text("p"));
        parent = new FakeParent(_ -> answer);
    }

    @AfterEach
    void stop() throws IOException {
        database.stop(0);
        threads.close();
        parent.close();
    }

    /** Answers no insert before the record after it was read. */
    private void insert(HttpExchange exchange) throws IOException {
        String asked = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        firstIsSent.countDown();
        boolean readOn = awaited(secondIsRead);
        inserts.add(asked.replaceAll(".*insert_deduplication_token=([^&]*).*", "$1"));
        exchange.sendResponseHeaders(readOn ? 200 : 500, -1);
        exchange.close();
        bothAreInserted.countDown();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void nextRecordsAreReadWhileTheDatabaseInserts() throws Trouble, InterruptedException {
        Link link = parent.link();
        try (MockConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.schedulePollTask(() -> consumer.addRecord(record(0)));
            consumer.schedulePollTask(() -> giveSecond(consumer));
            threads.execute(() -> {
                awaited(bothAreInserted);
                link.drain();
            });

            new KafkaSource(
                            link,
                            assignment(),
                            new Destination(link, assignment().target()),
                            threads,
                            Clock.systemUTC())
                    .read(consumer, new BackOff());
        }

        assertThat(inserts).containsExactly("t:0:0-1", "t:0:1-2");
    }

    @Test
    void pipeIsWellAgainAfterABatchWentInWhileItsReaderBrokeOff() throws Trouble, InterruptedException {
        Link link = parent.link();
        KafkaSource source = new KafkaSource(
                link, assignment(), new Destination(link, assignment().target()), threads, Clock.systemUTC());
        try (MockConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.schedulePollTask(() -> consumer.addRecord(record(0)));
            consumer.schedulePollTask(() -> breakOff(consumer));
            assertThatThrownBy(() -> source.read(consumer, new BackOff())).isInstanceOf(KafkaException.class);
        }
        assertThat(inserts).containsExactly("t:0:0-1");

        try (MockConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.schedulePollTask(link::drain);
            source.read(consumer, new BackOff());
        }
        link.ask(About.RELEASE, Tree.Members.NONE);
        assertThat(parent.conditions()).containsExactly("RUNNING", "RUNNING");
    }

    /** Once the database has the first, which it answers then. */
    private void breakOff(MockConsumer<byte[], byte[]> consumer) {
        if (firstIsSent.getCount() == 0) {
            secondIsRead.countDown();
            throw new KafkaException("the broker is away");
        }
        consumer.schedulePollTask(() -> breakOff(consumer));
    }

    private static MockConsumer<byte[], byte[]> consumer() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
        Node broker = new Node(0, "localhost", 1);
        consumer.updatePartitions(
                "t", List.of(new PartitionInfo("t", 0, broker, new Node[] {broker}, new Node[] {broker})));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 2L));
        return consumer;
    }

    /** Once the database has the first. */
    private void giveSecond(MockConsumer<byte[], byte[]> consumer) {
        if (firstIsSent.getCount() == 0) {
            consumer.addRecord(record(1));
            consumer.schedulePollTask(secondIsRead::countDown);
        } else {
            consumer.schedulePollTask(() -> giveSecond(consumer));
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        return new ConsumerRecord<>("t", 0, offset, null, "{\"id\": 1}".getBytes(StandardCharsets.UTF_8));
    }

    private static Assignment assignment() {
        return new Assignment(
                "pipe",
                "kafka",
                new Tree.Members(Map.of("topics", new Tree.Text("t"))),
                Tree.Members.NONE,
                new Tree.Members(Map.of("streaming_max_insert_wait_ms", new Tree.Figure(1))),
                new Target("d", "t", List.of("id"), List.of("`id`"), "`id` UInt64"),
                0,
                Assignment.Errand.MOVE,
                0,
                new Share(0, 1, 1, 1, 1000));
    }
}
