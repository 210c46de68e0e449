package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Report.TableEvent;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.postgres.PgOutput.Cell;
import io.pilothouse.pipes.worker.postgres.PgOutput.Message;
import io.pilothouse.pipes.worker.postgres.PgOutput.Message.Relation;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * Follows the changes of a slot. The source may forget a change only after it is in the table: until then it sends it
 * once more after each start. For one thread.
 */
final class ChangeStream {
    private static final int VERSION_BITS = 12;
    private static final long LAST_OF_A_TRANSACTION = (1L << VERSION_BITS) - 1;
    private static final long IDLE_MILLIS = 100;
    private static final int STATUS_SECONDS = 5;
    private static final Duration BETWEEN_MEASURES = Duration.ofSeconds(20);

    private final Link link;
    private final Tree.Members settings;
    private final Connection source;
    private final List<SourceTable> tables;
    private final ChangeBatch batch;
    private final TableResyncs resyncs;
    private final Map<Integer, List<ChangedTable>> changed = new HashMap<>();
    private final Map<Integer, Relation> relations = new HashMap<>();
    private final long syncNanos;

    private SlotSize size = SlotSize.UNKNOWN;
    private long measured;
    /** Whether the destination takes what it is given: until it does, its trouble is what is reported. */
    private boolean well;

    private @Nullable Long pendingTo;
    private boolean inside;
    private long committedAt;
    private long committedMillis;
    /** Whether the source had nothing more when it was last asked. */
    private boolean caughtUp;

    private long sequence;
    private long fetchedRows;
    private long fetchedBytes;
    private long reached;
    private boolean outgrown;

    /** {@code done} is how far the ledger says that changes are in the tables; {@code source} answers questions about rows. */
    ChangeStream(
            Link link,
            Tree.Members settings,
            Connection source,
            List<SourceTable> tables,
            ChangeBatch batch,
            Span done,
            TableResyncs resyncs) {
        this.link = link;
        this.settings = settings;
        this.source = source;
        this.tables = tables;
        this.batch = batch;
        this.resyncs = resyncs;
        this.pendingTo = done.isPending() ? done.to() : null;
        this.reached = done.from();
        this.syncNanos = Duration.ofSeconds(
                        settings.number("syncIntervalSeconds").orElse(60.0).longValue())
                .toNanos();
    }

    /**
     * Until it is to drain, or a table has got columns that have to be looked up first. {@code wasWell} is whether the
     * destination took what it was given last.
     */
    void follow(Connection replication, Slot slot, boolean wasWell) throws Trouble, SQLException, InterruptedException {
        try (PGReplicationStream stream = replication
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName(slot.name())
                .withSlotOption("proto_version", "1")
                .withSlotOption("publication_names", SourceTable.quoted(slot.publication()))
                .withStartPosition(LogSequenceNumber.valueOf(reached))
                .withStatusInterval(STATUS_SECONDS, TimeUnit.SECONDS)
                .start()) {
            well = wasWell;
            resyncs.begin();
            measure(slot);
            if (well) {
                report();
            }
            boolean goesOn = true;
            while (goesOn && !outgrown) {
                if (System.nanoTime() - measured > BETWEEN_MEASURES.toNanos()) {
                    measure(slot);
                    if (well) {
                        report();
                    }
                }
                ByteBuffer message = stream.readPending();
                caughtUp = message == null;
                if (message == null) {
                    rest(stream);
                    goesOn = !link.pause(IDLE_MILLIS);
                } else {
                    fetchedBytes += message.remaining();
                    take(PgOutput.read(message), stream);
                    goesOn = inside || !link.isDraining();
                }
                resync();
            }
            if (!inside && !outgrown && !batch.isEmpty() && pendingTo == null) {
                end(committedAt + 1, stream);
            }
        }
    }

    /** A table that was read again takes its place once nothing of the batch in hand is for the old one. */
    private void resync() throws Trouble, SQLException, InterruptedException {
        if (!inside && batch.isEmpty() && pendingTo == null && resyncs.isRead()) {
            resyncs.place();
            resyncs.begin();
            well = true;
            report();
        }
    }

    private void measure(Slot slot) throws SQLException {
        size = SlotSize.of(source, slot.name());
        measured = System.nanoTime();
        link.keeps(size.bytes());
    }

    private void report() {
        link.count(new Amounts(fetchedRows, fetchedBytes, 0, 0, 0, 0), -1);
        link.count(Tally.FETCHED_BYTES, fetchedBytes);
        fetchedRows = 0;
        fetchedBytes = 0;
        link.report(
                size.warning().isPresent() ? Condition.BEHIND : Condition.RUNNING,
                size.warning().orElse(resyncs.sentence().isEmpty() ? batch.wrong() : resyncs.sentence()),
                caughtUp && !inside && pendingTo == null ? batch.rows() : -1);
    }

    /** Nothing comes just now. */
    private void rest(PGReplicationStream stream) throws Trouble, SQLException, InterruptedException {
        if (!inside && !batch.isEmpty() && pendingTo == null && isDue()) {
            end(committedAt + 1, stream);
        }
        if (!inside && batch.isEmpty() && pendingTo == null) {
            // What the tables of this pipe do not need is not kept for it.
            confirm(stream.getLastReceiveLSN().asLong(), stream, false);
        }
    }

    private boolean isDue() {
        return batch.ageNanos() >= syncNanos || batch.isFull();
    }

    private void end(long to, PGReplicationStream stream) throws Trouble, SQLException, InterruptedException {
        batch.end(to);
        confirm(to, stream, true);
        well = true;
        report();
    }

    private void confirm(long to, PGReplicationStream stream, boolean now) throws SQLException {
        if (Long.compareUnsigned(to, reached) > 0) {
            reached = to;
            stream.setAppliedLSN(LogSequenceNumber.valueOf(to));
            stream.setFlushedLSN(LogSequenceNumber.valueOf(to));
        }
        if (now) {
            stream.forceUpdateStatus();
        }
    }

    private void take(Message message, PGReplicationStream stream) throws Trouble, SQLException, InterruptedException {
        switch (message) {
            case Message.Begin(long at, long millis) -> {
                Long pending = pendingTo;
                if (pending != null && at + 1 > pending) {
                    pendingTo = null;
                    end(pending, stream);
                }
                inside = true;
                committedAt = at;
                committedMillis = millis;
                sequence = 0;
            }
            case Message.Commit _ -> {
                inside = false;
                Long pending = pendingTo;
                boolean over = pending == null
                        ? batch.isClaimed() || (!batch.isEmpty() && isDue())
                        : pending == committedAt + 1;
                if (over) {
                    pendingTo = null;
                    end(committedAt + 1, stream);
                }
            }
            case Relation relation -> learn(relation);
            case Message.Insert(int id, List<Cell> row) -> {
                count(id, "insert");
                add(id, row, false);
            }
            case Message.Update(int id, List<Cell> old, List<Cell> row) -> {
                count(id, "update");
                update(id, old, row);
            }
            case Message.Delete(int id, List<Cell> old) -> {
                count(id, "delete");
                requireIdentity(id);
                add(id, old, true);
            }
            case Message.Truncate(List<Integer> ids) -> {
                for (int id : ids) {
                    for (ChangedTable table : changed.getOrDefault(id, List.of())) {
                        empty(table.table());
                    }
                }
            }
            case Message.Other _ -> {}
        }
    }

    private void empty(SourceTable table) throws Trouble, SQLException, InterruptedException {
        batch.empty(table.shape(table.mapping().target(), TableShape.FIRST), to());
        Optional<TableShape> side = resyncs.emptied(table);
        if (side.isPresent()) {
            batch.empty(side.get(), to());
        }
    }

    private void count(int id, String event) {
        for (ChangedTable table : changed.getOrDefault(id, List.of())) {
            fetchedRows++;
            link.count(new TableEvent(table.table().mapping().target(), event));
        }
    }

    private long to() {
        Long pending = pendingTo;
        return pending == null ? committedAt + 1 : pending;
    }

    private void learn(Relation relation) throws Trouble, SQLException {
        List<SourceTable> same = tables.stream()
                .filter(table -> table.mapping().schema().equals(relation.schema())
                        && table.mapping().table().equals(relation.table()))
                .toList();
        for (SourceTable table : same) {
            boolean unknown = relation.columns().stream()
                    .filter(name -> !table.mapping().excluded().contains(name))
                    .anyMatch(name -> table.columns().stream()
                            .noneMatch(column -> column.name().equals(name)));
            if (unknown) {
                SourceTable now = new SourceTables(source, settings, false)
                        .read(List.of(table.mapping()))
                        .getFirst();
                // A column that is gone by now is not looked for.
                outgrown |= !now.columns().equals(table.columns());
            }
        }
        relations.put(relation.id(), relation);
        changed.put(
                relation.id(),
                same.stream().map(table -> new ChangedTable(table, relation)).toList());
    }

    private void update(int id, @Nullable List<Cell> old, List<Cell> row)
            throws Trouble, SQLException, InterruptedException {
        requireIdentity(id);
        List<Cell> whole = ChangedTable.completed(row, old);
        if (ChangedTable.isPartial(whole)
                && !changed.getOrDefault(id, List.of()).isEmpty()) {
            whole = lookedUp(Objects.requireNonNull(relations.get(id)), whole);
        }
        if (old != null) {
            List<Cell> before = old;
            List<Cell> after = whole;
            for (ChangedTable table : changed.getOrDefault(id, List.of())) {
                if (table.movesRow(before, after)) {
                    put(table.table(), table.line(before, true, version()));
                }
            }
            sequence++;
        }
        add(id, whole, false);
    }

    private void requireIdentity(int id) throws Trouble.Owner {
        for (ChangedTable table : changed.getOrDefault(id, List.of())) {
            if (!table.isFound()) {
                throw new Trouble.Owner("The source says of a changed row of "
                        + table.table().mapping().source() + " only its primary key, and "
                        + table.table().mapping().target()
                        + " is sorted by more: ALTER TABLE ... REPLICA IDENTITY FULL, and resync.");
            }
        }
    }

    private void add(int id, List<Cell> row, boolean deleted) throws Trouble, InterruptedException {
        for (ChangedTable table : changed.getOrDefault(id, List.of())) {
            put(table.table(), table.line(row, deleted, version()));
        }
        sequence++;
        if (batch.isFull()) {
            batch.piece(to());
        }
    }

    private void put(SourceTable table, String line) {
        batch.add(table, table.mapping().target(), line, committedMillis);
        resyncs.side(table).ifPresent(side -> batch.add(table, side, line, committedMillis));
    }

    /** Grows with each commit and, as far as there is room, with each change of it; equal ones go by their order. */
    private long version() {
        return (committedAt << VERSION_BITS) | Math.min(sequence, LAST_OF_A_TRANSACTION);
    }

    /**
     * The large values that were not sent, as the row has them now. If they have changed since, or the row is gone, a
     * later change says so.
     */
    private List<Cell> lookedUp(Relation relation, List<Cell> row) throws SQLException {
        List<String> missing = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            if (row.get(i) instanceof Cell.Unchanged) {
                missing.add(SourceTable.quoted(relation.columns().get(i)) + "::text");
                places.add(i);
            }
        }
        String sql = "SELECT " + String.join(", ", missing) + " FROM " + SourceTable.quoted(relation.schema()) + "."
                + SourceTable.quoted(relation.table()) + " WHERE "
                + relation.identity().stream()
                        .map(name -> SourceTable.quoted(name) + " = ?")
                        .collect(Collectors.joining(" AND "));
        List<Cell> whole = new ArrayList<>(row);
        try (PreparedStatement statement = source.prepareStatement(sql)) {
            int at = 1;
            for (String name : relation.identity()) {
                Cell key = row.get(relation.columns().indexOf(name));
                // Of no type of its own, so that the source takes it for one of the column's.
                statement.setObject(at, key instanceof Cell.Text(String value) ? value : null, Types.OTHER);
                at++;
            }
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    for (int i = 0; i < places.size(); i++) {
                        String value = rows.getString(i + 1);
                        whole.set(places.get(i), value == null ? new Cell.Nothing() : new Cell.Text(value));
                    }
                }
            }
        }
        return whole;
    }
}
