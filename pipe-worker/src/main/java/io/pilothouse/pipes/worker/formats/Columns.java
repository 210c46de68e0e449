package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the database is to read of a message: the fields that the table wants, with their types; pure. */
record Columns(String structure) {
    /** A name between its quotes, and a type, whose parentheses may hold commas and texts. */
    private static final Pattern COLUMN =
            Pattern.compile("`((?:[^`\\\\]|\\\\.)*)` ((?:'(?:[^'\\\\]|\\\\.)*'|[^'`])*)(?:, |$)");

    /** A field and its type. */
    record Column(String name, String type) {}

    /** All of them, in their order. */
    List<Column> all() {
        List<Column> all = new ArrayList<>();
        Matcher matcher = COLUMN.matcher(structure);
        while (matcher.find()) {
            all.add(new Column(matcher.group(1).replaceAll("\\\\(.)", "$1"), matcher.group(2)));
        }
        return all;
    }

    boolean want(String field) {
        return structure.contains(Sql.name(field) + " ");
    }

    /** Whether a field goes into a column of integers. */
    boolean count(String field) {
        return Pattern.compile(Pattern.quote(Sql.name(field) + " ") + "(?:Nullable\\()?U?Int\\d")
                .matcher(structure)
                .find();
    }
}
