package io.pilothouse.pipes.worker.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.aws.EventFrames;
import io.pilothouse.pipes.worker.aws.EventFramesTest;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much of what Kinesis sends by itself is in memory. */
class PushedShardTest {
    private static final int SHARDS = 8;
    private static final int EVENTS = 3;
    private static final int BYTES = 100_000;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static byte[] events() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int event = 0; event < EVENTS; event++) {
            all.writeBytes(EventFramesTest.frame(
                    Map.of(":message-type", "event", ":event-type", "SubscribeToShardEvent"),
                    "{\"Records\":[],\"ContinuationSequenceNumber\":\"" + event + "\",\"MillisBehindLatest\":1,\"x\":\""
                            + "x".repeat(BYTES) + "\"}"));
        }
        return all.toByteArray();
    }

    private int fetched(List<PushedShard> shards) throws AwsRefusal, Trouble {
        int pages = 0;
        for (PushedShard shard : shards) {
            pages += shard.next("7", new ShardBegin.Oldest()).isPresent() ? 1 : 0;
        }
        return pages;
    }

    @Test
    void shardWhoseEventWaitsForRoomIsNotSilent() throws AwsRefusal, IOException, Trouble {
        byte[] events = events();
        EventRoom room = new EventRoom(BYTES * 3 / 2);
        long silence = TimeUnit.MILLISECONDS.toNanos(1);
        List<PushedShard> shards = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            shards.add(new PushedShard(
                    (_, _) -> new EventFrames(new ByteArrayInputStream(events)), "s" + shard, threads, room, silence));
        }
        assertThat(fetched(shards)).isZero();
        long deadline = System.nanoTime() + PATIENCE;
        while (room.waiting() < 2) {
            assertThat(System.nanoTime()).as("%d wait", room.waiting()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        // The other one holds all the room, and nobody takes what it has.
        PushedShard waiting =
                shards.stream().filter(shard -> !shard.hasEvent()).findFirst().orElseThrow();
        long until = System.nanoTime() + 20 * silence;
        while (System.nanoTime() < until) {
            assertThat(waiting.next("7", new ShardBegin.Oldest())).isEmpty();
        }
        assertThat(room.waiting()).isEqualTo(2);
        shards.forEach(PushedShard::close);
    }

    @Test
    void allShardsShareTheRoomForWhatIsNotTakenYet() throws AwsRefusal, IOException, Trouble {
        byte[] events = events();
        // For one event, and not for two.
        EventRoom room = new EventRoom(BYTES * 3 / 2);
        List<PushedShard> shards = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            shards.add(new PushedShard(
                    (_, _) -> new EventFrames(new ByteArrayInputStream(events)), "s" + shard, threads, room));
        }
        assertThat(fetched(shards)).isZero();
        long deadline = System.nanoTime() + PATIENCE;
        // One has an event in memory, and its next one waits with those of the others.
        while (room.waiting() < SHARDS) {
            assertThat(System.nanoTime()).as("%d wait", room.waiting()).isLessThan(deadline);
            Thread.onSpinWait();
        }

        // One that is dropped gives back what it has, and nobody waits for it.
        shards.removeFirst().close();
        int pages = 0;
        while (pages < (SHARDS - 1) * EVENTS) {
            assertThat(System.nanoTime()).as("%d pages", pages).isLessThan(deadline);
            pages += fetched(shards);
            Thread.onSpinWait();
        }
        shards.forEach(PushedShard::close);
        // On a slow machine some were subscribed once more, and hear a moment later that they are closed.
        while (room.waiting() > 0) {
            assertThat(System.nanoTime()).as("%d wait", room.waiting()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
