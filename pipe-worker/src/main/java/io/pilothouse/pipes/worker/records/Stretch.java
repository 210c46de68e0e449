package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of one part of a stream that wait to be inserted together. One that a crash left half done ends where it
 * ended then, because it has to be inserted under the same token. For one thread.
 */
public abstract class Stretch {
    private final List<StreamRecord> records = new ArrayList<>();
    private long bytes;
    private long content;
    private long since;

    /** The range that is claimed for it. */
    public abstract Span span();

    /** What names the range to the table. */
    public abstract String token();

    /** What a person calls the part that it is of. */
    String title() {
        return span().part();
    }

    /** Whether it was half done, so that its end is known. */
    public abstract boolean isPending();

    public List<StreamRecord> records() {
        return records;
    }

    public long bytes() {
        return bytes;
    }

    /** What its records have come to, without what the heap holds beside it. */
    long content() {
        return content;
    }

    /** Since when its first record waits, by {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Whether there is nothing to write down: no record, and no other step in the source. */
    public boolean isEmpty() {
        return records.isEmpty();
    }

    /** Something of the source was read. */
    protected void touch() {
        if (isEmpty()) {
            since = System.nanoTime();
        }
    }

    protected void take(StreamRecord record, long size, long overhead) {
        touch();
        records.add(record);
        content += size;
        bytes += size + overhead;
    }

    /** The table has them. */
    protected void clear() {
        bytes = 0;
        content = 0;
        records.clear();
    }
}
