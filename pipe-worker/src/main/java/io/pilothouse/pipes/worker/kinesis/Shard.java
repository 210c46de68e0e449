package io.pilothouse.pipes.worker.kinesis;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A shard of a stream: those that it came out of, and which hashes of keys it takes, from the first to the last. */
record Shard(String id, List<String> parents, BigInteger first, BigInteger last) {
    /** Whether a record with this hash belongs here. */
    boolean takes(BigInteger hash) {
        return first.compareTo(hash) <= 0 && hash.compareTo(last) <= 0;
    }

    /** What Kinesis makes of a partition key. */
    static BigInteger hash(String key) {
        return new BigInteger(1, Aggregate.md5(key.getBytes(StandardCharsets.UTF_8)));
    }
}
