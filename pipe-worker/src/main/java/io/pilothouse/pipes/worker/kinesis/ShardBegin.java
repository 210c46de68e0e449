package io.pilothouse.pipes.worker.kinesis;

import java.util.Map;

/** Where reading of a shard begins that the ledger does not have; pure. */
sealed interface ShardBegin {
    double MILLIS = 1000;

    /** The oldest record there is. */
    record Oldest() implements ShardBegin {}

    /** The first record of this moment or later, in milliseconds since 1970. */
    record Moment(long millis) implements ShardBegin {}

    /** The record with this number. */
    record At(String sequenceNumber) implements ShardBegin {}

    /** How Kinesis is asked for it. */
    default Map<String, Object> question() {
        return switch (this) {
            case Oldest _ -> Map.of("ShardIteratorType", "TRIM_HORIZON");
            case Moment(long millis) -> Map.of("ShardIteratorType", "AT_TIMESTAMP", "Timestamp", millis / MILLIS);
            case At(String number) ->
                Map.of("ShardIteratorType", "AT_SEQUENCE_NUMBER", "StartingSequenceNumber", number);
        };
    }

    /** What a begin in one shard means for those that come out of it: a number of its own says nothing there. */
    default ShardBegin inChild() {
        return this instanceof At ? new Oldest() : this;
    }

    /** Whichever leaves out less. */
    static ShardBegin earlier(ShardBegin one, ShardBegin other) {
        return one instanceof Moment(long first) && other instanceof Moment(long second)
                ? new Moment(Math.min(first, second))
                : new Oldest();
    }
}
