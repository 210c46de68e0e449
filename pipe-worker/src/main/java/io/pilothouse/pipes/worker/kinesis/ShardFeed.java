package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.util.Optional;

/** How the records of one shard come. For one thread at a time. */
interface ShardFeed extends AutoCloseable {
    /** How long to wait after records, after a page that says that there are no more, and where nothing came. */
    record Pace(long busy, long quiet, long none) {}

    /** The feeds of one try to read a stream. */
    @FunctionalInterface
    interface Feeds extends AutoCloseable {
        ShardFeed of(String shard);

        @Override
        default void close() {
            // Who asks has nothing to give back.
        }
    }

    Pace pace();

    /**
     * What comes next, if there is something. {@code after} is the last record that was taken, and {@code begin} the
     * place to begin at where none was.
     */
    Optional<Page> next(String after, ShardBegin begin) throws AwsRefusal, Trouble;

    /** What came after the last record that was taken is to come again. */
    void again();

    @Override
    void close();
}
