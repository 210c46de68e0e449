package io.pilothouse.pipes.tables;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.wire.TableShape;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Makes the tables of a pipe that reads a database: one for each of its mappings, as a worker describes it after a look
 * at the source. Beside the source's columns each has when a row came, whether it was deleted, and its version.
 */
public final class MappedTables {
    private static final String DELETED = "_peerdb_is_deleted";
    private static final String VERSION = "_peerdb_version";
    private static final String OWN_COLUMNS =
            "`_peerdb_synced_at` DateTime64(9) DEFAULT now64(9), `" + DELETED + "` UInt8, `" + VERSION + "` UInt64";

    private final PipeTables tables;

    public MappedTables(PipeTables tables) {
        this.tables = tables;
    }

    /** Makes what is missing, tables and columns; returns whether all of them drop an insert that they have had before. */
    public boolean prepare(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        boolean all = true;
        for (TableShape shape : shapes) {
            all &= prepare(pipe, shape);
        }
        return all;
    }

    private boolean prepare(Pipe pipe, TableShape shape) throws PlaneFault, PipeTables.Unfit {
        Tree.Members mapping = mapping(pipe, shape.target());
        UUID service = pipe.serviceId();
        String database = database(pipe);
        tables.ask(service, "CREATE DATABASE IF NOT EXISTS " + Sql.name(database));
        tables.ask(service, create(pipe, mapping, shape));
        PipeTables.Known known = tables.known(service, database, shape.side());
        if (isLeftOver(pipe, shape, known)) {
            tables.ask(service, "DROP TABLE " + Sql.name(database) + "." + Sql.name(shape.side()));
            tables.ask(service, create(pipe, mapping, shape));
            known = tables.known(service, database, shape.side());
        }
        boolean own = known.comment().startsWith(PipeTables.maker(pipe));
        if (!own && pipe.endsByItself() && known.rows() > 0) {
            throw new PipeTables.Unfit("The table " + shape.side() + " exists and is not empty.");
        }
        if (own) {
            add(pipe, shape, database);
        }
        tables.compare(service, columns(shape), database, shape.side());
        return known.remembers() || known.engine().equals("Null");
    }

    /** Only when there is something to keep: a source may have many tables, and few of them rows that do not fit. */
    public void prepareErrors(Pipe pipe, String target) throws PlaneFault, PipeTables.Unfit {
        mapping(pipe, target);
        tables.prepareErrors(pipe.serviceId(), PipeTables.errors(database(pipe), target));
    }

    /** Of one of the pipe's tables, or of that into which it is read again. */
    public void prepareTrial(Pipe pipe, String table) throws PlaneFault, PipeTables.Unfit {
        boolean known = pipe.source().objects("tableMappings").stream()
                .map(mapping -> mapping.text("targetTable").orElse(""))
                .anyMatch(target -> table.equals(target) || table.equals(BesideTable.again(target)));
        if (!known) {
            throw new PipeTables.Unfit("The pipe has no mapping for the table " + table + ".");
        }
        tables.prepareTrial(pipe.serviceId(), database(pipe), table);
    }

    /** What an earlier round, which was given up for this one, has read. */
    private static boolean isLeftOver(Pipe pipe, TableShape shape, PipeTables.Known known) {
        return !shape.side().equals(shape.target())
                && known.comment().startsWith(PipeTables.maker(pipe))
                && !known.comment().equals(comment(pipe, shape.round()));
    }

    /** Columns that the source has got since. */
    private void add(Pipe pipe, TableShape shape, String database) throws PlaneFault, PipeTables.Unfit {
        String table = Sql.name(database) + "." + Sql.name(shape.side());
        Map<String, String> there = PipeTables.described(tables.ask(pipe.serviceId(), "DESCRIBE TABLE " + table));
        for (TableShape.Column column : shape.columns()) {
            if (!there.containsKey(column.name())) {
                tables.ask(
                        pipe.serviceId(),
                        "ALTER TABLE " + table + " ADD COLUMN IF NOT EXISTS " + Sql.name(column.name()) + " "
                                + column.type());
            }
        }
    }

    /** Puts what was read again in the place of what was there; doing it again changes nothing. */
    public void swap(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        UUID service = pipe.serviceId();
        String database = Sql.name(database(pipe));
        for (TableShape shape : shapes) {
            String target = database + "." + Sql.name(shape.target());
            String side = database + "." + Sql.name(shape.side());
            tables.ask(service, create(pipe, mapping(pipe, shape.target()), atTarget(shape)));
            // The comment goes with the rows: it says which of the two is the newer.
            String comment =
                    tables.known(service, database(pipe), shape.target()).comment();
            boolean there = !tables.ask(service, "EXISTS TABLE " + side).equals("0");
            if (there && !comment.equals(comment(pipe, shape.round()))) {
                tables.ask(service, "EXCHANGE TABLES " + target + " AND " + side);
            }
            tables.ask(service, "DROP TABLE IF EXISTS " + side);
            tables.ask(service, "DROP TABLE IF EXISTS " + database + "." + Sql.name(BesideTable.trial(shape.side())));
        }
    }

    public void empty(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        for (TableShape shape : shapes) {
            tables.ask(pipe.serviceId(), "TRUNCATE TABLE " + Sql.name(database(pipe)) + "." + Sql.name(shape.side()));
        }
    }

    /** An empty table to change places with, should there be none. */
    private static TableShape atTarget(TableShape shape) {
        return new TableShape(shape.target(), shape.target(), TableShape.FIRST, shape.columns(), shape.key());
    }

    private static String create(Pipe pipe, Tree.Members mapping, TableShape shape) {
        String engine = mapping.text("tableEngine").orElse("ReplacingMergeTree");
        StringBuilder sql = new StringBuilder("CREATE TABLE IF NOT EXISTS ")
                .append(Sql.name(database(pipe)))
                .append('.')
                .append(Sql.name(shape.side()))
                .append(" (")
                .append(columns(shape))
                .append(", " + OWN_COLUMNS + ") ENGINE = ")
                .append(engine);
        if (engine.equals("ReplacingMergeTree")) {
            boolean forgets = pipe.source()
                    .members("settings")
                    .filter(settings -> settings.flag("deleteOnMerge"))
                    .isPresent();
            sql.append("(" + VERSION).append(forgets ? ", " + DELETED : "").append(')');
        }
        if (!engine.equals("Null")) {
            mapping.text("partitionByExpr")
                    .filter(by -> !by.isBlank())
                    .ifPresent(by -> sql.append(" PARTITION BY ").append(by));
            sql.append(" ORDER BY (")
                    .append(
                            shape.key().isEmpty()
                                    ? "tuple()"
                                    : shape.key().stream().map(Sql::name).collect(Collectors.joining(", ")))
                    .append(')')
                    .append(PipeTables.REMEMBERS);
        }
        return sql.append(" COMMENT ")
                .append(Sql.text(comment(pipe, shape.round())))
                .toString();
    }

    private static String comment(Pipe pipe, String round) {
        return round.equals(TableShape.FIRST) ? PipeTables.maker(pipe) : PipeTables.maker(pipe) + ", resync " + round;
    }

    private static String columns(TableShape shape) {
        return shape.columns().stream()
                .map(column -> Sql.name(column.name()) + " " + column.type())
                .collect(Collectors.joining(", "));
    }

    private static String database(Pipe pipe) {
        return pipe.destination().text("database").orElse("default");
    }

    private static Tree.Members mapping(Pipe pipe, String target) throws PipeTables.Unfit {
        return pipe.source().objects("tableMappings").stream()
                .filter(mapping -> mapping.text("targetTable").orElse("").equals(target))
                .findFirst()
                .orElseThrow(() -> new PipeTables.Unfit("The pipe has no mapping for the table " + target + "."));
    }
}
