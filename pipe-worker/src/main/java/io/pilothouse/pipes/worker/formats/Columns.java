package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.Sql;
import java.util.regex.Pattern;

/** What the database is to read of a message: the fields that the table wants, with their types; pure. */
record Columns(String structure) {
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
