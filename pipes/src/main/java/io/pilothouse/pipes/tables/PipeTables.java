package io.pilothouse.pipes.tables;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Databases.Answer;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Sql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Makes the tables that a pipe writes to, and holds one that was there to what the pipe says of it. */
public final class PipeTables {
    /** How many inserts a table remembers; a repeated one is found among them. */
    private static final int WINDOW = 1000;

    static final String REMEMBERS = " SETTINGS non_replicated_deduplication_window = " + WINDOW;

    /** What went wrong is not kept for longer. */
    static final String FOR_A_WEEK = " TTL toDateTime(_timestamp) + INTERVAL 7 DAY";

    /** Which pipe a row is of, what it had beside its bytes, and which replay has it in hand. */
    private static final List<String> FOR_REPLAYS =
            List.of("pipe String", "fields Map(String, String)", "replay UInt64");

    private final Databases databases;

    public PipeTables(Databases databases) {
        this.databases = databases;
    }

    /** A table that the pipe cannot write to until its owner changes one of the two. */
    public static final class Unfit extends Exception {
        private static final long serialVersionUID = 1L;

        Unfit(String sentence) {
            super(sentence);
        }
    }

    /** What the database knows about a table. */
    record Known(String comment, String engine, boolean remembers, long rows) {}

    /** Makes what is missing; returns whether the table drops an insert that it has had before. */
    public boolean prepare(Pipe pipe, Target target) throws PlaneFault, Unfit {
        UUID service = pipe.serviceId();
        String table = Sql.name(target.database()) + "." + Sql.name(target.table());
        ask(service, "CREATE DATABASE IF NOT EXISTS " + Sql.name(target.database()));
        String comment = maker(pipe);
        if (pipe.destination().flag("managedTable")) {
            ask(service, create(pipe, table, comment));
        }
        Known known = known(service, target.database(), target.table());
        requireItsOwn(pipe, known, target.table());
        compare(service, columns(pipe), target.database(), target.table());
        prepareErrors(service, errors(target));
        return known.remembers();
    }

    /** Refuses what {@link #prepare} would refuse, as far as that shows before anything is made. */
    public void require(Pipe pipe) throws PlaneFault, Unfit {
        Tree.Members destination = pipe.destination();
        String database = destination.text("database").orElse("default");
        String table = destination.text("table").orElse("");
        Optional<Known> there = find(pipe.serviceId(), database, table);
        if (there.isPresent()) {
            requireItsOwn(pipe, there.get(), table);
            compare(pipe.serviceId(), columns(pipe), database, table);
        } else if (destination.flag("managedTable")) {
            structure(pipe.serviceId(), columns(pipe));
        } else {
            throw missing(table);
        }
    }

    private static void requireItsOwn(Pipe pipe, Known known, String table) throws Unfit {
        if (pipe.destination().flag("managedTable") && !known.comment().equals(maker(pipe)) && known.rows() > 0) {
            throw new Unfit("The table " + table + " exists and is not empty.");
        }
    }

    private static Unfit missing(String table) {
        return new Unfit("The table " + table + " does not exist, and the pipe does not make it.");
    }

    /** The comment of a table that a pipe has made, or the beginning of it. */
    static String maker(Pipe pipe) {
        return "Made by the pipe " + pipe.id();
    }

    Known known(UUID service, String database, String table) throws PlaneFault, Unfit {
        return find(service, database, table).orElseThrow(() -> missing(table));
    }

    private Optional<Known> find(UUID service, String database, String table) throws PlaneFault, Unfit {
        String[] known = ask(
                        service,
                        "SELECT '=' || comment, engine, create_table_query LIKE '%deduplication_window = %'"
                                + " AND create_table_query NOT LIKE '%deduplication_window = 0%',"
                                + " ifNull(total_rows, 0) FROM system.tables WHERE database = "
                                + Sql.text(database) + " AND name = " + Sql.text(table))
                .strip()
                .split("\t", -1);
        if (known.length < 4) {
            return Optional.empty();
        }
        boolean remembers = known[1].startsWith("Replicated") || known[1].startsWith("Shared") || known[2].equals("1");
        return Optional.of(new Known(known[0].substring(1), known[1], remembers, Long.parseLong(known[3])));
    }

    private static String create(Pipe pipe, String table, String comment) {
        Tree.Members definition = pipe.destination().members("tableDefinition").orElse(Tree.Members.NONE);
        Tree.Members engine = definition.members("engine").orElse(Tree.Members.NONE);
        String type = engine.text("type").orElse("MergeTree");
        StringBuilder sql =
                new StringBuilder("CREATE TABLE IF NOT EXISTS ").append(table).append(" (");
        sql.append(columns(pipe)).append(") ENGINE = ").append(type).append(arguments(engine, type));
        if (!type.equals("Null")) {
            List<String> keys =
                    definition.texts("sortingKey").stream().map(PipeTables::key).toList();
            definition
                    .text("partitionBy")
                    .filter(by -> !by.isBlank())
                    .ifPresent(by -> sql.append(" PARTITION BY ").append(by));
            definition
                    .text("primaryKey")
                    .filter(by -> !by.isBlank())
                    .ifPresent(by -> sql.append(" PRIMARY KEY (").append(by).append(')'));
            sql.append(" ORDER BY (")
                    .append(keys.isEmpty() ? "tuple()" : String.join(", ", keys))
                    .append(')');
            sql.append(REMEMBERS);
        }
        return sql.append(" COMMENT ").append(Sql.text(comment)).toString();
    }

    private static String arguments(Tree.Members engine, String type) {
        return switch (type) {
            case "ReplacingMergeTree" ->
                engine.text("versionColumnId")
                        .map(id -> "(" + Sql.name(id) + ")")
                        .orElse("");
            case "SummingMergeTree" -> {
                List<String> summed =
                        engine.texts("columnIds").stream().map(Sql::name).toList();
                yield summed.isEmpty() ? "" : "((" + String.join(", ", summed) + "))";
            }
            default -> "";
        };
    }

    /** A sorting key is a column, or an expression over columns. */
    private static String key(String key) {
        return key.matches("\\w+") ? Sql.name(key) : key;
    }

    static String columns(Pipe pipe) {
        List<String> columns = new ArrayList<>();
        for (Tree.Members column : pipe.destination().objects("columns")) {
            columns.add(Sql.name(column.text("name").orElse("")) + " "
                    + column.text("type").orElse("String"));
        }
        return String.join(", ", columns);
    }

    /** The database says what the types of the pipe are called in full. */
    private Map<String, String> structure(UUID service, String columns) throws PlaneFault, Unfit {
        return described(ask(service, "DESCRIBE TABLE null(" + Sql.text(columns) + ")"));
    }

    void compare(UUID service, String columns, String database, String table) throws PlaneFault, Unfit {
        Map<String, String> wanted = structure(service, columns);
        Map<String, String> there =
                described(ask(service, "DESCRIBE TABLE " + Sql.name(database) + "." + Sql.name(table)));
        for (Map.Entry<String, String> column : wanted.entrySet()) {
            String type = there.get(column.getKey());
            if (type == null) {
                throw new Unfit("The table " + table + " has no column " + column.getKey() + ".");
            }
            if (!type.equals(column.getValue())) {
                throw new Unfit("The column " + column.getKey() + " of the table " + table + " is " + type
                        + ", and the pipe's is " + column.getValue() + ".");
            }
        }
    }

    static Map<String, String> described(String rows) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (String row : rows.split("\n", -1)) {
            String[] cells = row.split("\t", -1);
            if (cells.length > 1) {
                columns.put(cells[0], cells[1]);
            }
        }
        return columns;
    }

    void prepareErrors(UUID service, String errors) throws PlaneFault, Unfit {
        ask(
                service,
                "CREATE TABLE IF NOT EXISTS " + errors
                        + " (_timestamp DateTime64(3) DEFAULT now64(3), source String, reason String,"
                        + " raw_message String, " + String.join(", ", FOR_REPLAYS) + ") ENGINE = MergeTree"
                        + " ORDER BY _timestamp" + FOR_A_WEEK + REMEMBERS);
        // Tables of before replays are without them.
        ask(
                service,
                "ALTER TABLE " + errors + " ADD COLUMN IF NOT EXISTS "
                        + String.join(", ADD COLUMN IF NOT EXISTS ", FOR_REPLAYS));
    }

    /**
     * Makes a table that has the columns, defaults and constraints of this one and keeps nothing. A last column works
     * out what this one is sorted, partitioned and indexed by, because that can fail too.
     */
    public void prepareTrial(UUID service, String database, String table) throws PlaneFault, Unfit {
        String name = BesideTable.trial(table);
        String of = " WHERE database = " + Sql.text(database) + " AND ";
        String there = ask(service, "SELECT engine FROM system.tables" + of + "name = " + Sql.text(name))
                .strip();
        if (!there.isEmpty() && !there.equals("Null")) {
            // It would be replaced, with all that is in it.
            throw new Unfit("The table " + name + " is somebody's own, and a pipe needs its name for one that tells"
                    + " which rows would be refused.");
        }
        String trial = Sql.name(database) + "." + Sql.name(name);
        ask(
                service,
                "CREATE OR REPLACE TABLE " + trial + " AS " + Sql.name(database) + "." + Sql.name(table)
                        + " ENGINE = Null COMMENT 'Keeps nothing: tells which rows the table beside it would refuse'");
        String keys = ask(
                        service,
                        "SELECT arrayStringConcat(arrayFilter(x -> x != '', groupArray(key)), ', ') FROM ("
                                + "SELECT arrayJoin([partition_key, sorting_key]) AS key FROM system.tables" + of
                                + "name = " + Sql.text(table)
                                + " UNION ALL SELECT expr FROM system.data_skipping_indices" + of + "table = "
                                + Sql.text(table) + ") FORMAT TSVRaw")
                .strip();
        if (!keys.isEmpty()) {
            // Another pipe into the same table may be at it too.
            ask(
                    service,
                    "ALTER TABLE " + trial + " ADD COLUMN IF NOT EXISTS _clickpipes_keys UInt8 MATERIALIZED ignore("
                            + keys + ")");
        }
    }

    /** The table beside the pipe's own that keeps what could not be read. */
    public static String errors(Target target) {
        return errors(target.database(), target.table());
    }

    static String errors(String database, String table) {
        return Sql.name(database) + "." + Sql.name(errorTable(table));
    }

    public static String errorTable(String table) {
        return BesideTable.errors(table);
    }

    public String ask(UUID service, String sql) throws PlaneFault, Unfit {
        return switch (databases.ask(service, sql)) {
            case Answer.Text(String value) -> value;
            case Answer.Refusal(String sentence) -> throw new Unfit("The database refuses the table: " + sentence);
            case Answer.Silence(String reason) -> throw new PlaneFault("The database does not answer: " + reason);
        };
    }
}
