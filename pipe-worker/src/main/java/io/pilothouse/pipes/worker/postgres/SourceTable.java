package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.wire.TableShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table of the source as it is now, and how its rows become rows of the target; pure. */
record SourceTable(TableMapping mapping, long oid, List<Column> columns, List<String> key, List<Leaf> leaves) {
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

    /** Takes rows whose columns are tabulated texts, in the order of the columns. */
    String insert(String database, String side) {
        return insert(database, side, List.of(), List.of("0", "0"));
    }

    /** Takes rows that have more raw columns after those of the table; {@code own} says what is deleted, and which version it is. */
    String insert(String database, String side, List<String> moreRaw, List<String> own) {
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
        names.addAll(List.of("_peerdb_is_deleted", "_peerdb_version"));
        values.addAll(own);
        return "INSERT INTO " + destinationName(database) + "." + destinationName(side) + " ("
                + String.join(", ", names)
                + ") SELECT " + String.join(", ", values) + " FROM input('"
                + String.join(", ", raw).replace("'", "\\'") + "') FORMAT TabSeparated";
    }
}
