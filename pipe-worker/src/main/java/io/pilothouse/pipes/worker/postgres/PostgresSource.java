package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report.Condition;
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
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Reads the tables of a PostgreSQL that the mappings of the pipe name. After any trouble it starts from the top: it looks
 * at the tables again, and the ledger says what is left to read.
 */
public final class PostgresSource implements Source {
    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final ExecutorService threads;
    private final PostgresLogin login;

    public PostgresSource(Link link, Assignment assignment, Destination destination, ExecutorService threads) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.threads = threads;
        this.login = new PostgresLogin(assignment);
    }

    @Override
    public void run() throws InterruptedException {
        BackOff backOff = new BackOff();
        long pause = 0;
        // Once: a trouble lasts until something was read.
        link.report(Condition.SETUP, "", -1);
        while (!link.pause(pause)) {
            try {
                round();
                return;
            } catch (SQLException error) {
                Trouble meaning = login.meaning(error);
                if (report(meaning)) {
                    return;
                }
            } catch (Trouble trouble) {
                if (report(trouble)) {
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
                link.report(Condition.WITHOUT_DESTINATION, away.sentence(), -1);
                yield false;
            }
            case Trouble.SourceAway away -> {
                link.report(Condition.WITHOUT_SOURCE, away.sentence(), -1);
                yield false;
            }
        };
    }

    private void round() throws Trouble, SQLException, InterruptedException {
        SnapshotLoad load = new SnapshotLoad(link, destination, login, threads, assignment);
        try (Connection connection = login.open()) {
            Tree.Members settings = assignment.source().members("settings").orElse(Tree.Members.NONE);
            List<SourceTable> tables = new SourceTables(connection, settings, true).read(TableMapping.all(assignment));
            List<SourceTable> unread = load.unread(tables);
            if (unread.isEmpty() || snapshot(connection, load, unread)) {
                link.report(Condition.COMPLETED, "", 0);
            }
        }
    }

    private boolean snapshot(Connection connection, SnapshotLoad load, List<SourceTable> tables)
            throws Trouble, SQLException, InterruptedException {
        try (Destination.Use _ = destination.use();
                Statement statement = connection.createStatement()) {
            prepare(load, tables);
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            try (ResultSet row = statement.executeQuery("SELECT pg_export_snapshot()")) {
                row.next();
                return load.load(tables, row.getString(1));
            }
        }
    }

    private void prepare(SnapshotLoad load, List<SourceTable> tables) throws Trouble, InterruptedException {
        List<TableShape> shapes = tables.stream()
                .map(table -> table.shape(load.side(table), assignment.round()))
                .toList();
        Link.Reply reply = link.ask(About.TABLES, TableShape.tree(shapes));
        if (reply.refusal().isPresent()) {
            throw new Trouble.DestinationAway(reply.refusal().get());
        }
    }
}
