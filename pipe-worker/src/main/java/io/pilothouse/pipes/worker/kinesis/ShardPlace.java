package io.pilothouse.pipes.worker.kinesis;

import java.math.BigInteger;

/**
 * A range of a shard as the ledger keeps it, in one text: what lies after one sequence number, up to and including
 * another. Empty is the place where the pipe begins, and {@link #END} is the end of a shard that was closed; pure.
 */
record ShardPlace(String after, String last) {
    static final String BEGIN = "";
    static final String END = "END";

    private static final String TO = "..";

    static ShardPlace of(String identity) {
        int to = identity.indexOf(TO);
        return new ShardPlace(identity.substring(0, to), identity.substring(to + TO.length()));
    }

    String identity() {
        return after + TO + last;
    }

    /** Whether a sequence number is beyond this end. */
    static boolean isBeyond(String sequence, String end) {
        return !end.equals(END) && new BigInteger(sequence).compareTo(new BigInteger(end)) > 0;
    }
}
