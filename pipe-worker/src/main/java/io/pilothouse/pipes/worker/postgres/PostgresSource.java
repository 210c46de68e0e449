package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Errand;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * Reads the tables of a PostgreSQL that the mappings of the pipe name. After any trouble it starts from the top: it
 * looks at the tables again, and the ledger says what is left to read.
 */
public final class PostgresSource implements Source {
    private static final double USUAL_BATCH = 100_000;

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final RowLoad rows;
    private final ExecutorService threads;
    private final PostgresLogin login;
    private final Tree.Members settings;
    /** Whether the destination did not take what it was given last: that trouble lasts until it does. */
    private boolean refused;

    public PostgresSource(
            Link link, Assignment assignment, Destination destination, ExecutorService threads, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.rows = new RowLoad(link, destination, assignment.pipe());
        this.threads = threads;
        this.login = new PostgresLogin(link, assignment, clock);
        this.settings = assignment.source().members("settings").orElse(Tree.Members.NONE);
    }

    @Override
    public void run() throws InterruptedException {
        BackOff backOff = new BackOff();
        long pause = 0;
        // Once: a trouble lasts until something was read.
        link.report(Condition.SETUP, "", -1);
        while (!link.pause(pause)) {
            try {
                if (assignment.errand() != Errand.MOVE) {
                    visit();
                    return;
                }
                round();
                if (settings.text("replicationMode").orElse("cdc").equals("snapshot")) {
                    return;
                }
                // A table has got columns: once more from the top.
                refused = false;
                backOff.reset();
                pause = 0;
                continue;
            } catch (SQLException error) {
                Trouble meaning = login.meaning(error);
                if (report(meaning) || isMeasuring()) {
                    return;
                }
            } catch (Trouble trouble) {
                if (report(trouble) || isMeasuring()) {
                    return;
                }
            }
            pause = backOff.millis();
        }
    }

    /** Whether it is the end of this worker. */
    private boolean report(Trouble trouble) {
        return switch (trouble) {
            case Trouble.Owner fault -> {
                link.report(Condition.FAILED, fault.sentence(), -1);
                yield true;
            }
            case Trouble.BadData fault -> {
                link.report(Condition.FAILED, "The database cannot read the rows: " + fault.sentence(), -1);
                yield true;
            }
            case Trouble.Yield _ -> true;
            case Trouble.DestinationAway away -> {
                refused = true;
                link.report(Condition.WITHOUT_DESTINATION, away.sentence(), -1);
                yield false;
            }
            case Trouble.SourceAway away -> {
                refused = false;
                link.report(Condition.WITHOUT_SOURCE, away.sentence(), -1);
                yield false;
            }
        };
    }

    private void round() throws Trouble, SQLException, InterruptedException {
        SnapshotLoad load = new SnapshotLoad(link, destination, rows, login, threads, assignment, false);
        String mode = settings.text("replicationMode").orElse("cdc");
        boolean once = mode.equals("snapshot");
        try (Connection connection = login.open()) {
            List<SourceTable> tables = new SourceTables(connection, settings, once).read(TableMapping.all(assignment));
            if (!once) {
                follow(connection, load, tables, mode.equals("cdc"));
            } else {
                List<SourceTable> unread = load.unread(tables);
                if (unread.isEmpty() || snapshot(connection, load, unread)) {
                    link.report(Condition.COMPLETED, rows.wrong(), 0);
                }
            }
        }
    }

    /** The slot comes first: what changes while the tables are read is in it. */
    private void follow(Connection connection, SnapshotLoad load, List<SourceTable> tables, boolean everything)
            throws Trouble, SQLException, InterruptedException {
        ReadySource.require(connection, tables);
        Slot slot = new Slot(assignment, settings);
        try (Connection replication = login.openReplication()) {
            begin(new Span(Span.FOOTPRINT, 0, 0, ""));
            slot.endGivenUpSnapshot(connection);
            slot.publish(connection, tables);
            String part = assignment.round() + "/changes";
            Optional<Span> begun = load.find(part);
            Optional<Long> position = slot.position(connection);
            if (position.isEmpty() && begun.isPresent()) {
                throw new Trouble.Owner("The replication slot " + slot.name()
                        + " is gone, and with it the changes since; everything has to be read again (resync).");
            }
            Slot.Made made = position.isEmpty() ? slot.make(replication) : new Slot.Made(position.get(), "");
            Span done = begun.orElse(new Span(part, made.position(), made.position(), ""));
            begin(done);
            List<SourceTable> unread = everything ? load.unread(tables) : List.of();
            List<SourceTable> first = load.neverRead(unread);
            if (!first.isEmpty() && !snapshot(load, first, slot, replication, made)) {
                return;
            }
            slot.leave(connection, false);
            List<TableShape> shapes = tables.stream()
                    .map(table -> table.shape(table.mapping().target(), Integer.toString(assignment.round())))
                    .toList();
            int pieces = settings.number("pullBatchSize").orElse(USUAL_BATCH).intValue();
            ChangeBatch batch =
                    new ChangeBatch(link, destination, rows, assignment.pipe(), part, done.from(), shapes, pieces);
            List<SourceTable> again =
                    unread.stream().filter(table -> !first.contains(table)).toList();
            TableResyncs resyncs = new TableResyncs(
                    load.begunFirst(again),
                    slot,
                    () -> new SnapshotLoad(link, destination, rows, login, threads, assignment, true));
            try {
                new ChangeStream(link, settings, connection, tables, batch, done, resyncs)
                        .follow(replication, slot, !refused);
            } finally {
                resyncs.giveUp();
            }
        }
    }

    private void begin(Span span) throws Trouble, InterruptedException {
        if (link.ask(About.BEGIN, Span.tree(List.of(span))).refusal().isPresent()) {
            throw new Trouble.Yield("Another worker reads for this pipe.");
        }
    }

    /** A source that is away is measured another time. */
    private boolean isMeasuring() {
        return assignment.errand() == Errand.MEASURE;
    }

    private void visit() throws Trouble, SQLException, InterruptedException {
        Slot slot = new Slot(assignment, settings);
        try (Connection connection = login.open()) {
            if (isMeasuring()) {
                link.keeps(SlotSize.of(connection, slot.name()).bytes());
            } else {
                takeLeave(connection, slot);
            }
        }
        link.report(Condition.COMPLETED, "", 0);
    }

    private static void takeLeave(Connection connection, Slot slot) throws Trouble, SQLException, InterruptedException {
        slot.endGivenUpSnapshot(connection);
        slot.leave(connection, true);
        if (slot.isLeft(connection)) {
            throw new Trouble.SourceAway("The replication slot is in use.");
        }
    }

    /** In the snapshot that came with the slot, or in one of now. */
    private boolean snapshot(
            SnapshotLoad load, List<SourceTable> tables, Slot slot, Connection replication, Slot.Made made)
            throws Trouble, SQLException, InterruptedException {
        try (Destination.Use _ = destination.use()) {
            load.prepare(tables);
            if (!made.snapshot().isEmpty()) {
                return load.load(tables, made.snapshot());
            }
            boolean all = load.load(tables, slot.snapshot(replication));
            slot.drop(replication);
            return all;
        }
    }

    private boolean snapshot(Connection connection, SnapshotLoad load, List<SourceTable> tables)
            throws Trouble, SQLException, InterruptedException {
        try (Destination.Use _ = destination.use();
                Statement statement = connection.createStatement()) {
            load.prepare(tables);
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            try (ResultSet row = statement.executeQuery("SELECT pg_export_snapshot()")) {
                row.next();
                return load.load(tables, row.getString(1));
            } finally {
                statement.execute("ROLLBACK");
            }
        }
    }
}
