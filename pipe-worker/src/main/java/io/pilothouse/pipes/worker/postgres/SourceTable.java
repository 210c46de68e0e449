package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A table of the source as it is now, and how its rows become rows of the target; pure. */
record SourceTable(TableMapping mapping, long oid, List<Column> columns, List<String> key, List<Leaf> leaves) {
    private static final String DELETED = "_peerdb_is_deleted";
    private static final String VERSION = "_peerdb_version";

    /** One column that is read. */
    record Column(String name, ColumnType type, boolean nullable) {}

    /**
     * What holds rows: the table itself, or one of its partitions. {@code storage} changes when it is rewritten as a
     * whole, after which no row is where it was.
     */
    record Leaf(String schema, String name, long storage, long pages, double rows) {
        String quoted() {
            return SourceTable.quoted(schema) + "." + SourceTable.quoted(name);
        }
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static String destinationName(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
    }

    /** {@code side} is the table that takes the rows. */
    TableShape shape(String side, String round) {
        List<TableShape.Column> described = columns.stream()
                .map(column ->
                        new TableShape.Column(column.name(), column.type().typeOf(column.nullable())))
                .toList();
        return new TableShape(mapping.target(), side, round, described, key);
    }

    /** What the source selects, in the order of the columns. */
    String selected() {
        return columns.stream()
                .map(column -> column.type().array() ? list(column) : quoted(column.name()))
                .collect(Collectors.joining(", "));
    }

    private static String list(Column column) {
        String element = column.type().type().equals("Array(String)") ? "e::text" : "e";
        return "(SELECT json_agg(" + element + ") FROM unnest(" + quoted(column.name()) + ") e)";
    }

    /**
     * How the database takes rows of a table, whose columns are tabulated texts: by {@code insert}, or by {@code trial},
     * which keeps none, and {@code attempt}, which also refuses what the table {@code side} does. Where they have {@code own} cells, those come last and say what is deleted, and its version.
     */
    record Intake(
            String source,
            String target,
            String side,
            List<String> names,
            boolean own,
            String insert,
            String trial,
            String attempt) {
        /** A row that was not taken: its cells, and beside them what they are. */
        ErrorTable.Unread unread(byte[] line, String reason) {
            // Bytes pass as they are: a line without its end.
            String text = new String(line, 0, line.length - 1, StandardCharsets.ISO_8859_1);
            String deleted = "0";
            String version = "0";
            if (own) {
                int last = text.lastIndexOf('\t');
                int before = text.lastIndexOf('\t', last - 1);
                version = text.substring(last + 1);
                deleted = text.substring(before + 1, last);
                text = text.substring(0, before);
            }
            return new ErrorTable.Unread(
                    source,
                    reason,
                    text.getBytes(StandardCharsets.ISO_8859_1),
                    Map.of(
                            "_columns",
                            bytes(String.join(", ", names)),
                            DELETED,
                            bytes(deleted),
                            VERSION,
                            bytes(version)));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Takes rows as they are in the source. */
    Intake rows(String database, String side) {
        return intake(database, side, List.of(), List.of("0", "0"));
    }

    /** Takes rows that have more cells than those of the table. */
    Intake changes(String database, String side) {
        return intake(database, side, List.of("d UInt8", "v UInt64"), List.of("d", "v"));
    }

    private Intake intake(String database, String side, List<String> moreRaw, List<String> own) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> raw = new ArrayList<>();
        for (Column column : columns) {
            String rawName = "c" + names.size();
            raw.add(rawName + " Nullable(" + column.type().raw() + ")");
            names.add(destinationName(column.name()));
            values.add(column.type().value(rawName, column.nullable()));
        }
        raw.addAll(moreRaw);
        names.addAll(List.of(DELETED, VERSION));
        values.addAll(own);
        String lines = " FROM input('" + String.join(", ", raw).replace("'", "\\'") + "') FORMAT TabSeparated";
        String made = String.join(", ", values);
        String into = " (" + String.join(", ", names) + ") SELECT " + made + lines;
        return new Intake(
                mapping.source(),
                mapping.target(),
                side,
                columns.stream().map(Column::name).toList(),
                !moreRaw.isEmpty(),
                "INSERT INTO " + destinationName(database) + "." + destinationName(side) + into,
                "INSERT INTO FUNCTION null('x UInt8') SELECT ignore(" + made + ")" + lines,
                "INSERT INTO " + destinationName(database) + "." + destinationName(BesideTable.trial(side)) + into);
    }
}
