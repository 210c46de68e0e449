package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.worker.postgres.PgOutput.Cell;
import io.pilothouse.pipes.worker.postgres.PgOutput.Message.Relation;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the rows of a table, as changes bring them, become lines of tabulated text for one target; pure. */
final class ChangedTable {
    private final SourceTable table;
    private final Relation relation;
    /** For each column of the target its place in the rows; -1 where they have it no longer, or not yet. */
    private final int[] places;

    ChangedTable(SourceTable table, Relation relation) {
        this.table = table;
        this.relation = relation;
        this.places = table.columns().stream()
                .mapToInt(column -> relation.columns().indexOf(column.name()))
                .toArray();
    }

    SourceTable table() {
        return table;
    }

    /** Whether a row that was changed or deleted is found again in the target. */
    boolean isFound() {
        return !table.mapping().engine().equals("ReplacingMergeTree")
                || relation.identity().containsAll(table.key());
    }

    /** Whether a change of these two rows moves a row to another place in the target. */
    boolean movesRow(List<Cell> old, List<Cell> row) {
        for (String name : table.key()) {
            int place = relation.columns().indexOf(name);
            if (place >= 0 && !old.get(place).equals(row.get(place)) && !(row.get(place) instanceof Cell.Unchanged)) {
                return true;
            }
        }
        return false;
    }

    String line(List<Cell> row, boolean deleted, long version) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < places.length; i++) {
            Cell cell = places[i] < 0 ? new Cell.Nothing() : row.get(places[i]);
            switch (cell) {
                case Cell.Text(String value) ->
                    escape(line, table.columns().get(i).type().array() ? json(value, isText(i)) : value);
                case Cell.Nothing _, Cell.Unchanged _ -> line.append("\\N");
            }
            line.append('\t');
        }
        return line.append(deleted ? '1' : '0')
                .append('\t')
                .append(Long.toUnsignedString(version))
                .append('\n')
                .toString();
    }

    private boolean isText(int column) {
        return table.columns().get(column).type().type().equals("Array(String)");
    }

    private static void escape(StringBuilder line, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> line.append("\\\\");
                case '\t' -> line.append("\\t");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                default -> line.append(c);
            }
        }
    }

    /** The list in JSON for an array as PostgreSQL writes it; inner arrays are laid out one after another. */
    static String json(String array, boolean texts) {
        List<String> items = new ArrayList<>();
        // Before the braces there may be the bounds of the array.
        int at = Math.max(0, array.indexOf('{'));
        while (at < array.length()) {
            char c = array.charAt(at);
            if (c == '{' || c == '}' || c == ',') {
                at++;
            } else if (c == '"') {
                StringBuilder item = new StringBuilder();
                at++;
                while (array.charAt(at) != '"') {
                    at += array.charAt(at) == '\\' ? 1 : 0;
                    item.append(array.charAt(at));
                    at++;
                }
                at++;
                items.add(quoted(item.toString()));
            } else {
                int begin = at;
                while (",}".indexOf(array.charAt(at)) < 0) {
                    at++;
                }
                items.add(bare(array.substring(begin, at), texts));
            }
        }
        return "[" + String.join(",", items) + "]";
    }

    private static String bare(String item, boolean texts) {
        return switch (item) {
            case "NULL" -> "null";
            case "t" -> texts ? quoted(item) : "true";
            case "f" -> texts ? quoted(item) : "false";
            default -> texts || !item.matches("-?[0-9.]+(e[-+]?[0-9]+)?") ? quoted(item) : item;
        };
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00" + HexFormat.of().toHexDigits((byte) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /** The row with what it had before in place of what was not sent. */
    static List<Cell> completed(List<Cell> row, @Nullable List<Cell> old) {
        if (old == null || !isPartial(row)) {
            return row;
        }
        List<Cell> whole = new ArrayList<>(row);
        for (int i = 0; i < whole.size(); i++) {
            // A row of the key alone has nothing where the value is.
            if (whole.get(i) instanceof Cell.Unchanged && old.get(i) instanceof Cell.Text) {
                whole.set(i, old.get(i));
            }
        }
        return whole;
    }

    static boolean isPartial(List<Cell> row) {
        return row.stream().anyMatch(Cell.Unchanged.class::isInstance);
    }
}
