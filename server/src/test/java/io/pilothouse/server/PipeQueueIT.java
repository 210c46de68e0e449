package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that are told of their files by a queue, and streams of the same server, into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeQueueIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final StartedParts started = new StartedParts();
    private ObjectServer objects;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        objects = started.add(ObjectServer.start(folder));
        piped = started.add(new PipedProgram(
                new LocalProgram(), folder, "--egress", objects.place(), "--aws-kinesis-url", objects.address()));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private static String row(int id) {
        return "{\"id\":" + id + ",\"name\":\"n" + id + "\"}\n";
    }

    private void awaitLeft(String queue, int messages) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        int left = objects.left(queue);
        while (left != messages) {
            assertThat(Instant.now()).as("%d messages", left).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            left = objects.left(queue);
        }
    }

    @Test
    void queueTellsOfFilesAndKeepsItsMessagesUntilTheyAreLoaded()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("told/before.json", row(1));
        String queue = objects.queue("told");
        // The first of a bucket's messages is a trial of the way, and S3 repeats messages.
        objects.tell(queue, "{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\",\"Bucket\":\"landing\"}");
        objects.put("told/a b+ü.json", row(2));
        objects.put("told/a b+ü.json", row(2));
        objects.put("other/c.json", row(3));
        String pipe = piped.create(
                objects.pipe("told/*.json", "told", Map.of("isContinuous", "true", "queueUrl", "\"" + queue + "\"")));
        piped.awaitAnswer("SELECT count(), sum(id) FROM told", "2\t3");
        awaitLeft(queue, 0);

        objects.put("told/gone.json", row(4));
        objects.delete("told/gone.json");
        objects.put("told/d.json", row(5));
        piped.awaitAnswer("SELECT count(), sum(id) FROM told", "3\t8");
        awaitLeft(queue, 0);
        piped.awaitState(pipe, "Running");

        objects.tell(queue, "what is this");
        program.await(pipe, body -> body.contains("A message of the queue is no notification of a bucket"));
        objects.put("told/e.json", row(6));
        piped.awaitAnswer("SELECT count(), sum(id) FROM told", "4\t14");
        awaitLeft(queue, 1);
        program.send(program.management(pipe).DELETE());
    }

    @Test
    void pipeMayLeaveOutWhatWasThereBeforeItsQueue()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("late/before.json", row(1));
        String queue = objects.queue("late");
        objects.put("late/after.json", row(2));
        String notified =
                "{\"Type\":\"Notification\",\"Message\":\"{\\\"Records\\\":[{\\\"eventName\\\":\\\"ObjectCreated:Put\\\","
                        + "\\\"s3\\\":{\\\"bucket\\\":{\\\"name\\\":\\\"landing\\\"},\\\"object\\\":{\\\"key\\\":\\\"late/before.json\\\"}}}]}\"}";
        String pipe = piped.create(objects.pipe(
                "late/*.json",
                "late",
                Map.of("isContinuous", "true", "skipInitialLoad", "true", "queueUrl", "\"" + queue + "\"")));
        piped.awaitAnswer("SELECT count(), sum(id) FROM late", "1\t2");
        // A topic may stand between the bucket and the queue.
        objects.tell(queue, notified);
        piped.awaitAnswer("SELECT count(), sum(id) FROM late", "2\t3");
        awaitLeft(queue, 0);

        program.patch(pipe + "/scaling", "{\"replicas\":2}");
        for (int id = 10; id < 30; id++) {
            objects.put("late/" + id + ".json", row(id));
        }
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM late", "22\t22");
        awaitLeft(queue, 0);
        assertThat(program.log()).doesNotContain(ObjectServer.SECRET);
    }

    @Test
    void queueThatIsNotThereFailsThePipe() throws IOException, InterruptedException {
        String pipe = piped.create(objects.pipe(
                "none/*.json",
                "none",
                Map.of("isContinuous", "true", "queueUrl", "\"" + objects.address() + "/123456789012/none\"")));
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("There is no such queue");
    }

    @Test
    void streamIsReadFromItsNewestRecordWhateverStopsThePipeBeforeTheFirst()
            throws GeneralSecurityException, IOException, InterruptedException {
        try (KinesisServer kinesis = new KinesisServer(objects.address())) {
            kinesis.stream("latest", 2);
            kinesis.put("latest", List.of(row(1), row(2)));
            // A pipe from the oldest record takes longer than the second to which the beginning is exact.
            piped.create(KinesisServer.pipe("latest", "oldest", ", \"iteratorType\": \"TRIM_HORIZON\""));
            piped.awaitAnswer("SELECT count() FROM oldest", "2");
            String pipe = piped.create(KinesisServer.pipe("latest", "latest", ""));
            piped.awaitState(pipe, "Running");
            program.patch(pipe + "/state", "{\"command\":\"stop\"}");
            piped.awaitState(pipe, "Stopped");
            kinesis.put("latest", List.of(row(3), row(4), row(5)));
            program.patch(pipe + "/state", "{\"command\":\"start\"}");
            piped.awaitAnswer("SELECT count(), sum(id) FROM latest", "3\t12");
        }
    }
}
