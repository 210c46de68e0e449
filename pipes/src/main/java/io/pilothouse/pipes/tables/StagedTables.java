package io.pilothouse.pipes.tables;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.wire.Words;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The tables that hold files until all of one is there: each try to read a file has one of its own, so that what an
 * earlier try still writes goes nowhere. Safe for many threads.
 */
public final class StagedTables {
    /** A block that was inserted stays a part of its own, by whose name it is moved. */
    private static final String ENGINE = " ENGINE = MergeTree ORDER BY tuple() SETTINGS"
            + " max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1,"
            + " parts_to_delay_insert = 1000000, parts_to_throw_insert = 1000000";

    /** The database's limit, 50 GB unless set, is for tables that hold the only copy of something. */
    private static final String UNLIMITED = " SETTINGS max_table_size_to_drop = 0";

    private static final Logger LOG = System.getLogger(StagedTables.class.getName());

    private final Predicate<UUID> pipes;
    private final Ledger ledger;
    private final PipeTables tables;

    /** Finds the lines of these parts. */
    @FunctionalInterface
    public interface Ledger {
        List<PipeRange> find(UUID pipeId, List<String> parts);
    }

    /** {@code pipes} knows those that are not gone. */
    public StagedTables(Predicate<UUID> pipes, Ledger ledger, PipeTables tables) {
        this.pipes = pipes;
        this.ledger = ledger;
        this.tables = tables;
    }

    public Tree.Members open(Pipe pipe, Target target, String part) throws PlaneFault, PipeTables.Unfit {
        UUID service = pipe.serviceId();
        String table = pipe.id() + "_" + UUID.randomUUID();
        tables.ask(service, "CREATE DATABASE IF NOT EXISTS " + Sql.name(BesideTable.STAGED));
        tables.ask(
                service,
                "CREATE TABLE " + name(table) + " (" + PipeTables.columns(pipe) + ")" + ENGINE + " COMMENT "
                        + Sql.text(part));
        boolean constrained = tables.ask(
                        service,
                        "SELECT match(create_table_query, 'CONSTRAINT .+ CHECK') FROM system.tables WHERE database = "
                                + Sql.text(target.database()) + " AND name = " + Sql.text(target.table()))
                .strip()
                .equals("1");
        return new Tree.Members(
                Map.of(Words.TABLE, new Tree.Text(table), Words.CONSTRAINED, new Tree.Flag(constrained)));
    }

    public void drop(Pipe pipe, String table) throws PlaneFault {
        if (table.startsWith(pipe.id() + "_")) {
            dropNow(pipe, table);
        }
    }

    /** One that stays takes room and nothing more: the pipe goes on. */
    private void dropNow(Pipe pipe, String table) throws PlaneFault {
        try {
            tables.ask(pipe.serviceId(), "DROP TABLE IF EXISTS " + name(table) + UNLIMITED);
        } catch (PipeTables.Unfit refused) {
            LOG.log(
                    Level.WARNING,
                    "The table {0} of the pipe {1} is not needed any more and cannot be dropped: {2}",
                    table,
                    pipe.id(),
                    refused.getMessage());
        }
    }

    /** Drops what no worker goes on with: of this pipe, before its workers begin, and of pipes that are gone. */
    public void dropLeft(Pipe pipe) throws PlaneFault, PipeTables.Unfit {
        List<String[]> there = tables.ask(
                        pipe.serviceId(),
                        // A key may have a line end in it, and so may a comment.
                        "SELECT name, base64Encode(comment) FROM system.tables WHERE database = "
                                + Sql.text(BesideTable.STAGED) + " FORMAT TSVRaw")
                .lines()
                .map(line -> line.split("\t", 2))
                .filter(cells -> cells.length == 2)
                .toList();
        for (String[] cells : there) {
            String owner = cells[0].substring(0, Math.max(0, cells[0].indexOf('_')));
            String part = new String(Base64.getDecoder().decode(cells[1]), StandardCharsets.UTF_8);
            boolean needed = owner.equals(pipe.id().toString()) ? isMoving(pipe, part, cells[0]) : isThere(owner);
            if (!needed) {
                dropNow(pipe, cells[0]);
            }
        }
    }

    private boolean isMoving(Pipe pipe, String part, String table) {
        return ledger.find(pipe.id(), List.of(Span.STAGED + part)).stream()
                .anyMatch(row -> row.pendingTo() != null && isOf(row, table));
    }

    private static boolean isOf(PipeRange row, String table) {
        return row.identity().startsWith(table);
    }

    private boolean isThere(String pipeId) {
        try {
            return pipes.test(UUID.fromString(pipeId));
        } catch (IllegalArgumentException _) {
            // Somebody else's.
            return true;
        }
    }

    private static String name(String table) {
        return Sql.name(BesideTable.STAGED) + "." + Sql.name(table);
    }
}
