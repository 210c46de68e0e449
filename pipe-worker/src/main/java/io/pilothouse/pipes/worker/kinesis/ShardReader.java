package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Entry;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one shard, a request at a time and not more often than Kinesis allows. {@link #fetch} may run on another thread
 * while nothing else is asked of it.
 */
final class ShardReader {
    /** A shard answers five requests a second, for all who read it. */
    private static final long BUSY_MILLIS = 250;

    private static final long QUIET_MILLIS = 1_000;

    private final KinesisApi api;
    private final ShardBegin begin;
    private final ShardStretch stretch;
    private final BackOff throttled = new BackOff();
    private @Nullable String iterator;
    private long nextAt = System.nanoTime();
    private String seen;
    private long millisBehind = -1;
    private long received;
    private boolean exhausted;
    private boolean isThrottled;

    ShardReader(KinesisApi api, ShardBegin begin, ShardStretch stretch) {
        this.api = api;
        this.begin = begin;
        this.stretch = stretch;
        this.seen = stretch.last();
    }

    ShardStretch stretch() {
        return stretch;
    }

    /** How far it is behind the newest record of its shard; -1 before the first answer. */
    long millisBehind() {
        return millisBehind;
    }

    /** How many bytes it was sent since it was asked last. */
    long received() {
        long bytes = received;
        received = 0;
        return bytes;
    }

    /** Whether Kinesis refused the last request because there were too many. */
    boolean isThrottled() {
        return isThrottled;
    }

    /** How long until the next request, in milliseconds; one that has all it needs asks for nothing. */
    long left() {
        return isComplete() ? Long.MAX_VALUE : Math.max(0, TimeUnit.NANOSECONDS.toMillis(nextAt - System.nanoTime()));
    }

    private boolean isComplete() {
        return exhausted || isRead();
    }

    /** Whether all of a range that was claimed before is here again, or the source has no more of it. */
    boolean isRead() {
        return stretch.isPending() && (exhausted || (!seen.isEmpty() && stretch.reaches(seen)));
    }

    /** One request, and a second where there is no way to read on yet. */
    void fetch() throws Trouble {
        try {
            String now = iterator == null ? api.iterator(stretch.shard().id(), stretch.last(), begin) : iterator;
            iterator = now;
            take(api.records(now));
            isThrottled = false;
            throttled.reset();
        } catch (AwsRefusal refusal) {
            if (refusal.is("ExpiredIteratorException")) {
                iterator = null;
            } else if (refusal.isThrottling()) {
                isThrottled = true;
                pause(throttled.millis());
            } else {
                throw KinesisApi.trouble(refusal);
            }
        }
    }

    private void take(Page page) {
        for (Entry entry : page.entries()) {
            stretch.add(entry.sequence(), entry.key(), entry.millis(), entry.data());
            seen = entry.sequence();
        }
        millisBehind = page.millisBehind();
        received += page.bytes();
        iterator = page.next();
        boolean caughtUp = page.entries().isEmpty() && page.millisBehind() == 0;
        if (page.next() == null) {
            exhausted = true;
            stretch.end();
        } else if (caughtUp && stretch.isPending()) {
            // What is not there any more was in the table, or has expired.
            exhausted = true;
        }
        pause(page.entries().isEmpty() && page.millisBehind() == 0 ? QUIET_MILLIS : BUSY_MILLIS);
    }

    private void pause(long millis) {
        nextAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The table has it: reads on behind it. */
    void done() {
        boolean again = stretch.isPending();
        stretch.done();
        if (again) {
            iterator = null;
            exhausted = stretch.isOver();
            seen = stretch.last();
        }
    }
}
