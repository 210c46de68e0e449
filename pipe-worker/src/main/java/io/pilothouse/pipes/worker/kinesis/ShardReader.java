package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Entry;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Reads one shard, not more often than Kinesis allows. {@link #fetch} may run on another thread
 * while nothing else is asked of it.
 */
final class ShardReader implements AutoCloseable {
    private final ShardFeed feed;
    private final ShardBegin begin;
    private final ShardStretch stretch;
    private final BackOff throttled = new BackOff();
    private long nextAt = System.nanoTime();
    private String seen;
    private long millisBehind = -1;
    private long received;
    private boolean exhausted;
    private boolean isThrottled;

    ShardReader(ShardFeed feed, ShardBegin begin, ShardStretch stretch) {
        this.feed = feed;
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

    /** Takes what comes next, or notes how long there is nothing to ask for. */
    void fetch() throws Trouble {
        try {
            Optional<Page> page = feed.next(stretch.last(), begin);
            if (page.isPresent()) {
                take(page.get());
            } else {
                pause(feed.pace().none());
            }
            isThrottled = false;
            throttled.reset();
        } catch (AwsRefusal refusal) {
            if (!refusal.isThrottling()) {
                throw KinesisApi.trouble(refusal);
            }
            isThrottled = true;
            pause(throttled.millis());
        }
    }

    private void take(Page page) {
        for (Entry entry : page.entries()) {
            stretch.add(entry.sequence(), entry.key(), entry.millis(), entry.data());
            seen = entry.sequence();
        }
        millisBehind = page.millisBehind();
        received += page.bytes();
        boolean caughtUp = page.entries().isEmpty() && page.millisBehind() == 0;
        if (page.next() == null) {
            exhausted = true;
            stretch.end();
        } else if (caughtUp && stretch.isPending()) {
            // What is not there any more was in the table, or has expired.
            exhausted = true;
        }
        pause(caughtUp ? feed.pace().quiet() : feed.pace().busy());
    }

    private void pause(long millis) {
        nextAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The table has it: reads on behind it. */
    void done() {
        boolean again = stretch.isPending();
        stretch.done();
        if (again) {
            feed.again();
            exhausted = stretch.isOver();
            seen = stretch.last();
        }
    }

    @Override
    public void close() {
        feed.close();
    }
}
