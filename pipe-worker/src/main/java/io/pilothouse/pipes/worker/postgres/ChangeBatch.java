package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Changes of whole transactions on their way into the tables. From where to where it reaches is in the ledger before
 * the first row is inserted, so that after a crash the same changes come in the same pieces under the same tokens. For
 * one thread.
 */
final class ChangeBatch {
    /** How much of it is in memory at most, whatever the number of rows. */
    private static final int MAX_BYTES = 16 << 20;

    private final Link link;
    private final Destination destination;
    private final RowLoad load;
    private final String pipe;
    private final String part;
    private final List<TableShape> shapes;
    private final int maxRows;
    private final Map<String, Rows> rows = new LinkedHashMap<>();
    /** For each target, how many rows of this batch are in it. */
    private final Map<String, Integer> inserted = new HashMap<>();

    private boolean prepared;
    private long from;
    private boolean claimed;
    private int count;
    private long bytes;
    /** When the oldest of its rows were committed. */
    private long madeMillis;

    private long begun;
    /** Whether a table was emptied in it: rows that come after that must not be taken for those of before. */
    private boolean emptied;

    /** Rows for one target. */
    private static final class Rows implements RowLoad.Rows {
        private final SourceTable table;
        private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
        private int count;

        Rows(SourceTable table) {
            this.table = table;
        }

        @Override
        public void write(OutputStream out) throws IOException {
            lines.writeTo(out);
        }

        @Override
        public RowLoad.Lines lines() {
            byte[] all = lines.toByteArray();
            AtomicInteger at = new AtomicInteger();
            return () -> {
                int begin = at.get();
                int end = begin;
                while (end < all.length && all[end] != '\n') {
                    end++;
                }
                at.set(end + 1);
                return begin < all.length ? Arrays.copyOfRange(all, begin, end + 1) : null;
            };
        }
    }

    ChangeBatch(
            Link link,
            Destination destination,
            RowLoad load,
            String pipe,
            String part,
            long from,
            List<TableShape> shapes,
            int maxRows) {
        this.link = link;
        this.destination = destination;
        this.load = load;
        this.pipe = pipe;
        this.part = part;
        this.from = from;
        this.shapes = shapes;
        this.maxRows = maxRows;
    }

    void add(SourceTable table, String target, String line, long committedMillis) {
        if (count == 0) {
            madeMillis = committedMillis;
        }
        if (count == 0 && !claimed) {
            begun = System.nanoTime();
        }
        Rows of = rows.computeIfAbsent(target, _ -> new Rows(table));
        byte[] encoded = line.getBytes(StandardCharsets.UTF_8);
        of.lines.writeBytes(encoded);
        of.count++;
        count++;
        bytes += encoded.length;
    }

    /** A sentence about the rows that the database did not take last; empty if it took all. */
    String wrong() {
        return load.wrong();
    }

    /** Whether it holds as much as it may. */
    boolean isFull() {
        return count >= maxRows || bytes >= MAX_BYTES;
    }

    boolean isEmpty() {
        return count == 0 && !claimed;
    }

    /** How many rows wait in it. */
    int rows() {
        return count;
    }

    boolean isClaimed() {
        return claimed;
    }

    long ageNanos() {
        return System.nanoTime() - begun;
    }

    /** Inserts what there is, of a batch that reaches to {@code to}. */
    void piece(long to) throws Trouble, InterruptedException {
        if (!claimed) {
            require(About.CLAIM, Span.tree(List.of(new Span(part, from, to, ""))));
            claimed = true;
        }
        if (count > 0) {
            try (Destination.Use _ = destination.use()) {
                prepare();
                for (Map.Entry<String, Rows> target : rows.entrySet()) {
                    insert(target.getKey(), target.getValue(), to);
                }
            }
        }
        rows.clear();
        count = 0;
        bytes = 0;
    }

    private void insert(String target, Rows of, long to) throws Trouble, InterruptedException {
        int first = inserted.getOrDefault(target, 0);
        int next = first + of.count;
        // The same rows have the same token; pieces that are cut in another way have other ones, so that none is
        // dropped.
        String token = pipe + "/" + part + "@" + from + "-" + to + "#" + first + "-" + next + ">" + target
                + (emptied ? " " + System.nanoTime() : "");
        Destination.Written written =
                load.insert(of.table.changes(destination.target().database(), target), token, of);
        inserted.put(target, next);
        link.count(
                new Amounts(0, 0, written.rows(), written.bytes(), 0, 0),
                Math.max(0, System.currentTimeMillis() - madeMillis));
    }

    /** Makes the tables, and the columns that the source has got since. */
    private void prepare() throws Trouble, InterruptedException {
        if (!prepared) {
            Link.Reply reply = link.ask(About.TABLES, TableShape.tree(shapes));
            if (reply.refusal().isPresent()) {
                throw new Trouble.DestinationAway(reply.refusal().get());
            }
            prepared = true;
        }
    }

    /** Empties a table, as the source did. */
    void empty(TableShape shape, long to) throws Trouble, InterruptedException {
        piece(to);
        emptied = true;
        try (Destination.Use _ = destination.use()) {
            prepare();
            Link.Reply reply = link.ask(About.EMPTY, TableShape.tree(List.of(shape)));
            if (reply.refusal().isPresent()) {
                throw new Trouble.DestinationAway(reply.refusal().get());
            }
        }
    }

    /** Inserts the last of it; the next one begins where it ends. */
    void end(long to) throws Trouble, InterruptedException {
        piece(to);
        require(About.DONE, Span.tree(List.of(new Span(part, from, to, ""))));
        from = to;
        claimed = false;
        emptied = false;
        inserted.clear();
    }

    private void require(About about, Tree.Members body) throws Trouble, InterruptedException {
        if (link.ask(about, body).refusal().isPresent()) {
            throw new Trouble.Yield("Another worker reads for this pipe.");
        }
    }
}
