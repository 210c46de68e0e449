package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The oldest records of a stream, some of each shard: where the newest begin, Kinesis does not say. Nothing is noted
 * about it.
 */
public final class KinesisSample {
    private static final int MAX_RECORDS = 200;
    private static final int MAX_BYTES = 1 << 20;
    private static final long LOOKS_FOR = TimeUnit.SECONDS.toNanos(8);
    /** A shard allows five requests a second, for all who read it. */
    private static final long BETWEEN_ROUNDS_MILLIS = 500;

    private final Link link;
    private final KinesisApi api;
    private final List<byte[]> messages = new ArrayList<>();
    private long bytes;

    public KinesisSample(Link link, Assignment assignment, Clock clock) throws Owner {
        this.link = link;
        this.api = new KinesisApi(link, assignment, clock);
    }

    /** The messages, taken apart where a producer has put several into one record. */
    public List<byte[]> read() throws Trouble, InterruptedException {
        long deadline = System.nanoTime() + LOOKS_FOR;
        List<Shard> shards = api.shards().shards();
        int share = Math.max(1, MAX_RECORDS / Math.max(1, shards.size()));
        try {
            List<String> places = new ArrayList<>();
            for (Shard shard : shards) {
                if (isEnough(deadline)) {
                    break;
                }
                look(api.iterator(shard.id(), ShardPlace.BEGIN, new ShardBegin.Oldest()), share, places);
            }
            // A page may be empty although records follow.
            while (!places.isEmpty() && !isEnough(deadline)) {
                link.pause(BETWEEN_ROUNDS_MILLIS);
                List<String> round = places;
                places = new ArrayList<>();
                for (String place : round) {
                    look(place, share, places);
                }
            }
        } catch (AwsRefusal refusal) {
            throw KinesisApi.trouble(refusal);
        }
        return messages;
    }

    private boolean isEnough(long deadline) {
        return messages.size() >= MAX_RECORDS || bytes >= MAX_BYTES || System.nanoTime() - deadline > 0;
    }

    /** Reads once, and notes in {@code places} where a shard without records so far goes on. */
    private void look(String iterator, int share, List<String> places) throws AwsRefusal, Trouble {
        Page page = api.records(iterator, share);
        for (KinesisApi.Entry entry : page.entries()) {
            Aggregate.open(entry.data())
                    .ifPresentOrElse(
                            inside -> inside.forEach(inner -> messages.add(inner.message())),
                            () -> messages.add(entry.data()));
            bytes += entry.data().length;
        }
        String next = page.next();
        if (next != null && page.entries().isEmpty() && page.millisBehind() > 0) {
            places.add(next);
        }
    }
}
