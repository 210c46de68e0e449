package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.pipes.tables.PipeTables;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.ErrorPortion.Kept;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.Sql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Hands what a pipe could not read to its worker again, a portion at a time. The rows of a replay are marked with its
 * number before the first is read, so that it ends, and what fails again is not among them. A row has a place, by its
 * time and a hash; a portion is all rows of the replay from one place to another, and is claimed in the ledger like any
 * range. The marked rows are deleted after the last portion. Rows that no message can hold lose their mark and stay.
 * Safe for many threads.
 */
final class ErrorReplay {
    private static final int MAX_ROWS = 5_000;
    /** Where the end of a portion is looked for first: rows may be large. */
    private static final int FIRST_ROWS = 10;

    private static final int MORE_ROWS = 8;
    /** The database's answer may have four megabytes, and Base64 is a third larger. */
    private static final int MAX_BYTES = 2 << 20;
    /** A message to a worker may have 64 megabytes. */
    private static final int MAX_BYTES_OF_A_PLACE = 40 << 20;
    /** Rows of one insert have one time. */
    private static final int PLACES_IN_A_MILLI = 1024;

    private static final String PLACE = "toUnixTimestamp64Milli(_timestamp) * " + PLACES_IN_A_MILLI
            + " + cityHash64(source, raw_message) % " + PLACES_IN_A_MILLI;
    private static final String BYTES = "length(source) + length(raw_message) + length(toString(fields))";
    private static final String FIELDS =
            "arrayStringConcat(arrayMap((name, value) -> name || ':' || base64Encode(value),"
                    + " mapKeys(fields), mapValues(fields)), ',')";
    private static final String IN_ORDER = " ORDER BY _timestamp, source, raw_message, reason";

    private final PipeTables tables;
    private final PipeLedger ledger;

    ErrorReplay(Databases databases, PipeLedger ledger) {
        this.tables = new PipeTables(databases);
        this.ledger = ledger;
    }

    /** The number of the last replay that is still to be done; 0 if all are. */
    long asked(UUID pipeId) {
        return find(pipeId, PipeLedger.REPLAY)
                .map(PipeRange::pendingTo)
                .map(Long::longValue)
                .orElse(0L);
    }

    /** The next portion; the database must be awake. Empty once every replay that was asked for is through. */
    Optional<ErrorPortion> next(Pipe pipe, long epoch) throws PlaneFault, PipeTables.Unfit {
        while (true) {
            Optional<PipeRange> replays = find(pipe.id(), PipeLedger.REPLAY).filter(row -> row.pendingTo() != null);
            if (replays.isEmpty()) {
                return Optional.empty();
            }
            Rows rows = new Rows(pipe, replays.get().mark() + 1);
            PipeRange done = begun(rows, epoch);
            Long pending = done.pendingTo();
            Optional<Long> end = pending == null ? rows.end(done.mark()) : Optional.of(pending);
            if (end.isPresent()) {
                Span span = new Span(done.part(), done.mark(), end.get(), "");
                return Optional.of(new ErrorPortion(span, rows.between(span.from(), span.to())));
            }
            rows.delete();
            if (!ledger.endReplay(pipe.id(), epoch, rows.number)) {
                throw new PlaneFault("Another worker has read on.");
            }
        }
    }

    /** Which rows belong to a replay is settled when the ledger has its beginning. */
    private PipeRange begun(Rows rows, long epoch) throws PlaneFault, PipeTables.Unfit {
        String part = PipeLedger.REPLAY + rows.number;
        UUID pipeId = rows.pipe.id();
        if (find(pipeId, part).isEmpty()) {
            rows.mark();
            if (!ledger.begin(pipeId, epoch, part, 0)) {
                throw new PlaneFault("Another worker has read on.");
            }
        }
        return find(pipeId, part).orElseThrow(() -> new PlaneFault("The ledger has forgotten the replay."));
    }

    private Optional<PipeRange> find(UUID pipeId, String part) {
        return ledger.find(pipeId, List.of(part)).stream().findFirst();
    }

    /** The rows of one replay. */
    private final class Rows {
        private final Pipe pipe;
        private final long number;
        private final Target target;
        private final String table;
        private final String marked;

        Rows(Pipe pipe, long number) {
            this.pipe = pipe;
            this.number = number;
            this.target = TargetColumns.of(pipe);
            this.table = PipeTables.errors(target);
            this.marked = " WHERE pipe = '" + pipe.id() + "' AND replay = " + number;
        }

        /** Rows without a pipe were kept before there were replays. */
        void mark() throws PlaneFault, PipeTables.Unfit {
            change(
                    "UPDATE replay = " + number + ", pipe = '" + pipe.id() + "' WHERE replay = 0 AND pipe IN ('', '"
                            + pipe.id() + "')",
                    "UPDATE replay = " + number + "\\b.*" + pipe.id());
        }

        void delete() throws PlaneFault, PipeTables.Unfit {
            change("DELETE" + marked, "DELETE .*" + pipe.id() + ".*replay = " + number + "\\b");
        }

        /** Asks once only for a change that takes longer than the database may for an answer: it goes on by itself. */
        private void change(String command, String pattern) throws PlaneFault, PipeTables.Unfit {
            List<String[]> asked = table("SELECT is_done, latest_fail_reason FROM system.mutations WHERE database = "
                    + Sql.text(target.database()) + " AND table = " + Sql.text(PipeTables.errorTable(target.table()))
                    + " AND match(command, " + Sql.text(pattern) + ") ORDER BY is_done LIMIT 1");
            if (asked.isEmpty()) {
                ask("ALTER TABLE " + table + " " + command + " SETTINGS mutations_sync = 1");
            } else if (asked.getFirst()[0].equals("0")) {
                throw new PlaneFault("The database is still changing the error table. " + asked.getFirst()[1]);
            }
        }

        /** Where the portion that begins at this place ends; empty where no row is left. */
        Optional<Long> end(long from) throws PlaneFault, PipeTables.Unfit {
            int look = FIRST_ROWS;
            while (true) {
                long rows = 0;
                long bytes = 0;
                Optional<Long> end = Optional.empty();
                for (String[] cells : places(from, look)) {
                    rows += Long.parseLong(cells[1]);
                    bytes += Long.parseLong(cells[2]);
                    if (end.isPresent() && (rows > MAX_ROWS || bytes > MAX_BYTES)) {
                        return end;
                    }
                    end = Optional.of(Long.parseLong(cells[0]) + 1);
                }
                if (rows < look || look == MAX_ROWS) {
                    return end;
                }
                look = Math.min(look * MORE_ROWS, MAX_ROWS);
            }
        }

        /** The places of the next rows, with how many rows and bytes they have. Rows of one time come together. */
        private List<String[]> places(long from, int rows) throws PlaneFault, PipeTables.Unfit {
            return table("SELECT place, count(), sum(size) FROM (SELECT " + PLACE + " AS place, " + BYTES
                    + " AS size FROM " + table + marked + " AND _timestamp >= " + time(from) + " AND place >= " + from
                    + " ORDER BY _timestamp LIMIT " + rows + " WITH TIES) GROUP BY place ORDER BY place");
        }

        /** The time of a place is the table's key, and spares the database all other rows. */
        private static String time(long place) {
            return "fromUnixTimestamp64Milli(toInt64(" + place / PLACES_IN_A_MILLI + "))";
        }

        List<Kept> between(long from, long to) throws PlaneFault, PipeTables.Unfit {
            String where = marked + " AND _timestamp >= " + time(from) + " AND _timestamp <= " + time(to - 1) + " AND "
                    + PLACE + " >= " + from + " AND " + PLACE + " < " + to;
            String there = " FROM " + table + where;
            long bytes = Long.parseLong(ask("SELECT sum(" + BYTES + ")" + there).strip());
            if (bytes > MAX_BYTES_OF_A_PLACE) {
                // Only a single place makes a portion as large as that.
                change("UPDATE replay = 0" + where, "UPDATE replay = 0\\b.*" + pipe.id() + ".*>= " + from + "\\b");
                return List.of();
            }
            boolean large = bytes > MAX_BYTES;
            List<Kept> rows = new ArrayList<>();
            for (String[] cells : table("SELECT base64Encode(source), " + FIELDS + ", "
                    + (large ? "''" : "base64Encode(raw_message)") + ", length(raw_message)" + there + IN_ORDER)) {
                String raw = large ? pieces(there, rows.size(), Long.parseLong(cells[3])) : cells[2];
                rows.add(new Kept(cells[0], raw, fields(cells[1])));
            }
            return rows;
        }

        /** The bytes of a row that is too large for one answer. Base64 of thirds can be put together. */
        private String pieces(String there, int row, long length) throws PlaneFault, PipeTables.Unfit {
            int piece = MAX_BYTES / 3 * 3;
            StringBuilder all = new StringBuilder();
            for (long at = 0; at < length; at += piece) {
                all.append(ask("SELECT base64Encode(substring(raw_message, " + (at + 1) + ", " + piece + "))" + there
                        + IN_ORDER + " LIMIT 1 OFFSET " + row));
            }
            return all.toString();
        }

        private static Map<String, String> fields(String text) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (String field : text.split(",", -1)) {
                int colon = field.indexOf(':');
                if (colon > 0) {
                    fields.put(field.substring(0, colon), field.substring(colon + 1));
                }
            }
            return fields;
        }

        private List<String[]> table(String sql) throws PlaneFault, PipeTables.Unfit {
            return ask(sql).lines().map(line -> line.split("\t", -1)).toList();
        }

        private String ask(String sql) throws PlaneFault, PipeTables.Unfit {
            return tables.ask(pipe.serviceId(), sql);
        }
    }
}
