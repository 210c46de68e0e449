package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes to which Kinesis sends what its shards have, each through a consumer of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeFanOutIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PUSHED = ", \"iteratorType\": \"TRIM_HORIZON\", \"useEnhancedFanOut\": true";

    private final StartedParts started = new StartedParts();
    private KinesisServer kinesis;
    private FanOutServer fanOut;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        kinesis = started.add(KinesisServer.start(folder));
        fanOut = started.add(FanOutServer.before(kinesis.address()));
        piped = started.add(new PipedProgram(new LocalProgram(), folder, "--aws-kinesis-url", fanOut.address()));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private static List<String> rows(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(id -> "{\"id\":" + id + ",\"name\":\"n" + id + "\"}")
                .toList();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void recordsAreSentOnceThroughRenewalsSplitsAndKillsUntilThePipeIsDeleted()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("pushed", 2);
        kinesis.put("pushed", rows(0, 600));
        String pipe = piped.create(KinesisServer.pipe("pushed", "pushed", PUSHED));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM pushed", "600\t600");
        piped.awaitState(pipe, "Running");
        String id = pipe.substring(pipe.lastIndexOf('/') + 1);
        assertThat(fanOut.consumers()).anyMatch(arn -> arn.contains("stream/pushed/consumer/pilothouse-" + id));

        int before = fanOut.subscriptions();
        await(() -> fanOut.subscriptions() >= before + 4);
        kinesis.put("pushed", rows(600, 300));
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM pushed", "900\t900");

        piped.killFirstWorker();
        kinesis.split("pushed", kinesis.openShards("pushed").getFirst());
        kinesis.put("pushed", rows(900, 300));
        piped.awaitAnswer("SELECT count(), uniqExact(id), sum(id) FROM pushed", "1200\t1200\t" + 1199 * 1200 / 2);
        piped.awaitState(pipe, "Running");
        assertThat(fanOut.wasAsked("GetRecords")).isFalse();

        program.send(program.management(pipe).DELETE());
        await(() -> fanOut.consumers().stream().noneMatch(arn -> arn.contains("stream/pushed/")));
        assertThat(program.log()).doesNotContain(KinesisServer.SECRET);
    }

    @Test
    void streamThatTakesNoMoreConsumersIsSaidAndIsNotReadInAnotherWay()
            throws GeneralSecurityException, IOException, InterruptedException {
        kinesis.stream("crowded", 1);
        kinesis.put("crowded", rows(0, 5));
        fanOut.setFull(true);
        try {
            String pipe = piped.create(KinesisServer.pipe("crowded", "crowded", PUSHED));
            program.await(
                    pipe, body -> body.contains("\"state\":\"Degraded\"") && body.contains("takes no more consumers"));
        } finally {
            fanOut.setFull(false);
        }
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM crowded", "5\t5");
    }
}
