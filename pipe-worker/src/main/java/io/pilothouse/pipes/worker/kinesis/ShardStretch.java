package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.records.Stretch;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of one shard that wait to be inserted together. The ledger counts the records, because sequence numbers
 * have more digits than its marks, and keeps those of the range beside the count. For one thread.
 */
final class ShardStretch extends Stretch {
    /** What the heap holds of a record beside its content. */
    private static final int BYTES_OF_A_RECORD = 300;

    private final String part;
    private final Shard shard;
    /** How often the pipe was sent elsewhere before this was read; empty if never. */
    private final String seeks;

    private long count;
    private String after;
    private String last;
    private long taken;
    /** Where it ended when it was claimed before; null if it was not. */
    private @Nullable Span pending;

    ShardStretch(String part, Shard shard, @Nullable Span begun, String seeks) {
        this.part = part;
        this.shard = shard;
        this.seeks = seeks;
        this.count = begun == null ? 0 : begun.from();
        if (begun == null) {
            after = ShardPlace.BEGIN;
        } else if (begun.isPending()) {
            after = ShardPlace.of(begun.identity()).after();
            pending = begun;
        } else {
            after = ShardPlace.of(begun.identity()).last();
        }
        last = after;
    }

    /** How the ledger names a shard. */
    static String part(String stream, String shard) {
        return stream + ":" + shard;
    }

    /** What the ledger calls its shard. */
    String part() {
        return part;
    }

    Shard shard() {
        return shard;
    }

    /** After which record the next request reads. */
    String last() {
        return last;
    }

    /** Whether the shard was closed, and everything of it is in the table. */
    boolean isOver() {
        return after.equals(ShardPlace.END);
    }

    @Override
    public boolean isPending() {
        return pending != null;
    }

    /** Whether everything of a range that was claimed before is here again. */
    boolean reaches(String sequence) {
        return pending != null
                && !ShardPlace.of(pending.identity()).last().equals(ShardPlace.END)
                && !ShardPlace.isBeyond(ShardPlace.of(pending.identity()).last(), sequence);
    }

    /** Takes a record apart if it is made of others, and leaves out what lies beyond the end. */
    void add(String sequence, String key, long millis, byte[] data) {
        if (pending != null
                && ShardPlace.isBeyond(
                        sequence, ShardPlace.of(pending.identity()).last())) {
            return;
        }
        touch();
        last = sequence;
        taken++;
        Optional<List<Aggregate.Inner>> inside = Aggregate.open(data);
        if (inside.isEmpty()) {
            take(new ShardRecord(part, sequence, -1, key, millis, data), data.length, BYTES_OF_A_RECORD);
            return;
        }
        int number = 0;
        for (Aggregate.Inner inner : inside.get()) {
            // After a reshard the library sends those again that came to the wrong shard.
            if (shard.takes(inner.effectiveHash())) {
                take(
                        new ShardRecord(part, sequence, number, inner.key(), millis, inner.message()),
                        inner.message().length,
                        BYTES_OF_A_RECORD);
            }
            number++;
        }
    }

    /** The shard was closed, and everything of it was read. */
    void end() {
        touch();
        last = ShardPlace.END;
        taken++;
    }

    /** An aggregate may have had nothing for this shard, and a shard that ends has no record for it. */
    @Override
    public boolean isEmpty() {
        return taken == 0;
    }

    @Override
    public Span span() {
        return pending != null ? pending : new Span(part, count, count + taken, new ShardPlace(after, last).identity());
    }

    @Override
    public String token() {
        return part + ":" + span().identity() + seeks;
    }

    /** The table has it; the next one begins where it ended. */
    void done() {
        Span span = span();
        count = span.to();
        after = ShardPlace.of(span.identity()).last();
        last = after;
        taken = 0;
        pending = null;
        clear();
    }
}
