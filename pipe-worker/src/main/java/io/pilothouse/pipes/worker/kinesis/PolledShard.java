package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A shard that is asked, in the throughput that all who read the stream share. */
final class PolledShard implements ShardFeed {
    /** A shard answers five requests a second, for all who read it. */
    private static final Pace PACE = new Pace(250, 1_000, 0);

    private final KinesisApi api;
    private final String shard;
    private @Nullable String iterator;

    PolledShard(KinesisApi api, String shard) {
        this.api = api;
        this.shard = shard;
    }

    @Override
    public Pace pace() {
        return PACE;
    }

    @Override
    public Optional<Page> next(String after, ShardBegin begin) throws AwsRefusal, Trouble {
        String now = iterator == null ? api.iterator(shard, after, begin) : iterator;
        iterator = now;
        try {
            Page page = api.records(now);
            iterator = page.next();
            return Optional.of(page);
        } catch (AwsRefusal refusal) {
            if (!refusal.is("ExpiredIteratorException")) {
                throw refusal;
            }
            iterator = null;
            return Optional.empty();
        }
    }

    @Override
    public void again() {
        iterator = null;
    }

    @Override
    public void close() {
        // Nothing is held at Kinesis.
    }
}
