package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.postgres.SourceTable.Leaf;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads tables as they were at one moment, several ranges at once, each on a connection that sees the same snapshot.
 * A range goes as the text that COPY gives into one insert whose token follows from the range: it is written in the
 * ledger before and ticked off after, so that what a crash left half done is done again under the same token.
 */
final class SnapshotLoad {
    private final Link link;
    private final Destination destination;
    private final RowLoad rows;
    private final PostgresLogin login;
    private final ExecutorService threads;
    private final Assignment assignment;
    private final Tree.Members settings;
    private final boolean beside;

    private volatile boolean stopped;

    /** {@code beside} is whether the changes of its tables are followed while it reads them. */
    SnapshotLoad(
            Link link,
            Destination destination,
            RowLoad rows,
            PostgresLogin login,
            ExecutorService threads,
            Assignment assignment,
            boolean beside) {
        this.link = link;
        this.destination = destination;
        this.rows = rows;
        this.login = login;
        this.threads = threads;
        this.assignment = assignment;
        this.beside = beside;
        this.settings = assignment.source().members("settings").orElse(Tree.Members.NONE);
    }

    /** One range of a table that is not in the destination yet. */
    private record Range(SourceTable table, String side, Leaf leaf, SnapshotPlan plan, int number, String part) {}

    /** What this time of reading a table is called. */
    private String round(int timesAgain) {
        return assignment.round() + (timesAgain == 0 ? "" : "." + timesAgain);
    }

    /** The name of a table in the ledger; another one for each time that it is read. */
    private String part(SourceTable table, int timesAgain) {
        return round(timesAgain) + "/" + table.mapping().source() + ">"
                + table.mapping().target();
    }

    private String part(SourceTable table) {
        return part(table, table.mapping().timesAgain());
    }

    /** What the ledger has of a part. */
    Optional<Span> find(String part) throws Trouble, InterruptedException {
        Map<String, Span> known = link.ranges(List.of(part))
                .orElseThrow(() -> new Trouble.Yield("Nobody says how far the changes were read."));
        return Optional.ofNullable(known.get(part));
    }

    /** Those of which something is left to read. */
    List<SourceTable> unread(List<SourceTable> tables) throws InterruptedException {
        List<String> done = done(tables.stream().map(this::part).toList());
        return tables.stream().filter(table -> !done.contains(part(table))).toList();
    }

    /** Those that were not read as a whole in this round, however often they were to be read again. */
    List<SourceTable> neverRead(List<SourceTable> tables) throws InterruptedException {
        List<SourceTable> never = new ArrayList<>();
        for (SourceTable table : tables) {
            List<String> before = IntStream.range(0, table.mapping().timesAgain())
                    .mapToObj(times -> part(table, times))
                    .toList();
            if (done(before).isEmpty()) {
                never.add(table);
            }
        }
        return List.copyOf(never);
    }

    /** Those that are begun come first: what is done to one that waits is not brought to the table beside it. */
    List<SourceTable> begunFirst(List<SourceTable> tables) throws Trouble, InterruptedException {
        List<SourceTable> begun = new ArrayList<>();
        List<SourceTable> others = new ArrayList<>();
        for (SourceTable table : tables) {
            (find(part(table)).isPresent() ? begun : others).add(table);
        }
        begun.addAll(others);
        return List.copyOf(begun);
    }

    private List<String> done(List<String> parts) throws InterruptedException {
        return ranges(parts).values().stream()
                .filter(span -> span.from() > 0)
                .map(Span::part)
                .toList();
    }

    /** Where the rows of a table go while it is read. */
    String side(SourceTable table) {
        boolean aside = isAgain(table) && !table.mapping().engine().equals("Null");
        String target = table.mapping().target();
        return aside ? BesideTable.again(target) : target;
    }

    private boolean isAgain(SourceTable table) {
        return assignment.round() > 0 || table.mapping().timesAgain() > 0;
    }

    /** The table that takes the rows while it is read. */
    TableShape shape(SourceTable table) {
        return table.shape(side(table), round(table.mapping().timesAgain()));
    }

    /** Makes the tables that take the rows. */
    void prepare(List<SourceTable> tables) throws Trouble, InterruptedException {
        askOfTables(About.TABLES, tables);
    }

    /** The same for one table that is read beside its changes; from here on it counts as begun. */
    void begin(SourceTable table) throws Trouble, InterruptedException {
        claim(new Span(part(table), 0, 1, ""));
        prepare(List.of(table));
    }

    /** Keeps a database awake that something is written into. */
    Destination.Use use() throws Trouble, InterruptedException {
        return destination.use();
    }

    PostgresLogin login() {
        return login;
    }

    ExecutorService threads() {
        return threads;
    }

    /** Has it end with the ranges that it has in hand. */
    void stop() {
        stopped = true;
    }

    private boolean isToEnd() {
        return stopped || link.isDraining();
    }

    /** Reads these tables, and puts them in their places; whether it is through with them, and not to drain before. */
    boolean load(List<SourceTable> tables, String snapshot) throws Trouble, SQLException, InterruptedException {
        boolean all = read(tables, snapshot);
        if (all) {
            place(tables);
        }
        return all;
    }

    /** Reads these tables; whether it is through with them, and not to end before. */
    boolean read(List<SourceTable> tables, String snapshot) throws Trouble, SQLException, InterruptedException {
        Queue<Range> ranges = new ConcurrentLinkedQueue<>(ranges(tables, parts(tables)));
        int lanes = number("initialLoadParallelism", 4) * number("snapshotNumberOfParallelTables", 1);
        List<Future<@Nullable Void>> work = new ArrayList<>();
        for (int lane = 0; lane < Math.min(lanes, ranges.size()); lane++) {
            work.add(threads.submit(() -> {
                lane(ranges, snapshot);
                return null;
            }));
        }
        finish(work, ranges);
        return !isToEnd();
    }

    /** Has what was read take the place of what was there. */
    void place(List<SourceTable> tables) throws Trouble, InterruptedException {
        for (SourceTable table : tables) {
            Span whole = new Span(part(table), 0, 1, "");
            claim(whole);
            if (!side(table).equals(table.mapping().target())) {
                askOfTables(About.SWAP, List.of(table));
            }
            link.ask(About.DONE, Span.tree(List.of(whole)));
        }
    }

    private void askOfTables(About about, List<SourceTable> tables) throws Trouble, InterruptedException {
        Link.Reply reply =
                link.ask(about, TableShape.tree(tables.stream().map(this::shape).toList()));
        if (reply.refusal().isPresent()) {
            throw new Trouble.DestinationAway(reply.refusal().get());
        }
    }

    private int number(String setting, int usual) {
        return settings.number(setting).map(Double::intValue).orElse(usual);
    }

    private Map<String, Span> ranges(List<String> parts) throws InterruptedException {
        return link.ranges(parts).orElse(Map.of());
    }

    /** The plans of the leaves, begun before and new ones. */
    private Map<String, SnapshotPlan> parts(List<SourceTable> tables) throws Trouble, InterruptedException {
        Map<String, SnapshotPlan> plans = new HashMap<>();
        for (SourceTable table : tables) {
            Map<String, Span> known = ranges(
                    table.leaves().stream().map(leaf -> part(table, leaf)).toList());
            for (Leaf leaf : table.leaves()) {
                Span begun = known.get(part(table, leaf));
                SnapshotPlan plan = begun == null
                        ? SnapshotPlan.of(leaf, number("snapshotNumRowsPerPartition", 100_000))
                        : SnapshotPlan.of(begun.identity());
                if (plan.storage() != leaf.storage()) {
                    throw new Owner(
                            "The table " + table.mapping().source() + " was rewritten as a whole (by VACUUM FULL,"
                                    + " CLUSTER or TRUNCATE) while it was read; it has to be read again from the beginning (resync).");
                }
                claim(new Span(part(table, leaf), 0, 1, plan.identity()));
                plans.put(part(table, leaf), plan);
            }
        }
        return plans;
    }

    /**
     * Where the changes bring what was done to a table meanwhile, one that was rewritten as a whole is begun once more:
     * its rows are elsewhere.
     */
    private String part(SourceTable table, Leaf leaf) {
        return part(table) + "/" + leaf.quoted() + (beside ? "@" + leaf.storage() : "");
    }

    /** What is left; ranges that a crash left half done go first, because a table remembers its last inserts only. */
    private List<Range> ranges(List<SourceTable> tables, Map<String, SnapshotPlan> plans) throws InterruptedException {
        List<Range> halfDone = new ArrayList<>();
        List<Range> untouched = new ArrayList<>();
        for (SourceTable table : tables) {
            for (Leaf leaf : table.leaves()) {
                SnapshotPlan plan = Objects.requireNonNull(plans.get(part(table, leaf)));
                List<String> parts = plan.parts(part(table, leaf));
                Map<String, Span> known = ranges(parts);
                for (int number = 0; number < plan.ranges(); number++) {
                    Span span = known.get(parts.get(number));
                    if (span == null || span.from() == 0) {
                        (span == null ? untouched : halfDone)
                                .add(new Range(table, side(table), leaf, plan, number, parts.get(number)));
                    }
                }
            }
        }
        halfDone.addAll(untouched);
        return halfDone;
    }

    private void lane(Queue<Range> ranges, String snapshot) throws Trouble, SQLException, InterruptedException {
        try (Connection connection = login.open();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            statement.execute("SET TRANSACTION SNAPSHOT '" + snapshot + "'");
            // A range that has to be read twice has the same order each time.
            statement.execute("SET LOCAL synchronize_seqscans = off");
            Range range = ranges.poll();
            while (range != null && !isToEnd()) {
                load(connection, range);
                if (!beside) {
                    link.report(Condition.SNAPSHOT, rows.wrong(), -1);
                }
                range = ranges.poll();
            }
        }
    }

    private void load(Connection connection, Range range) throws Trouble, SQLException, InterruptedException {
        Span span = new Span(range.part(), 0, 1, "");
        claim(span);
        String select = "COPY (SELECT " + range.table().selected() + " FROM ONLY "
                + range.leaf().quoted() + " WHERE " + range.plan().condition(range.number()) + ") TO STDOUT";
        RangeCopy copy = new RangeCopy(connection.unwrap(PGConnection.class), select);
        try {
            Destination.Written written = rows.insert(
                    range.table().rows(destination.target().database(), range.side()),
                    assignment.pipe() + "/" + range.part(),
                    copy);
            link.count(new Amounts(copy.rows(), copy.bytes(), written.rows(), written.bytes(), 0, 0), -1);
            link.count(Tally.FETCHED_BYTES, copy.bytes());
            link.count(isAgain(range.table()) ? Tally.FETCHED_BYTES_RESYNC : Tally.FETCHED_BYTES_INITIAL, copy.bytes());
        } catch (Trouble trouble) {
            SQLException failure = copy.failure();
            if (failure != null) {
                throw failure;
            }
            throw trouble;
        }
        link.ask(About.DONE, Span.tree(List.of(span)));
    }

    private void claim(Span span) throws Trouble, InterruptedException {
        if (link.ask(About.CLAIM, Span.tree(List.of(span))).refusal().isPresent()) {
            throw new Trouble.Yield("Another worker reads for this pipe.");
        }
    }

    /** The first trouble of any lane; the others end with the ranges that they have in hand. */
    private static void finish(List<Future<@Nullable Void>> work, Queue<Range> ranges)
            throws Trouble, SQLException, InterruptedException {
        @Nullable Throwable first = null;
        for (Future<@Nullable Void> lane : work) {
            try {
                lane.get();
            } catch (ExecutionException failed) {
                ranges.clear();
                first = first == null ? failed.getCause() : first;
            }
        }
        switch (first) {
            case null -> {}
            case Trouble trouble -> throw trouble;
            case SQLException error -> throw error;
            case Throwable bug -> throw new IllegalStateException(bug);
        }
    }
}
