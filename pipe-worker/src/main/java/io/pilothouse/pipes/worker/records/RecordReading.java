package io.pilothouse.pipes.worker.records;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Sql;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The SQL by which the database reads lines of JSON into the table of a pipe; pure. */
public final class RecordReading {
    /** More than a batch has rows or bytes: an insert is one block, which is there as a whole or not at all. */
    private static final String ONE_BLOCK = "1000000000";

    private final Target target;
    private final Tree.Members settings;

    public RecordReading(Assignment assignment) {
        this.target = assignment.target();
        this.settings = assignment.settings();
    }

    String insert() {
        return into(target.table());
    }

    /** The same into the table that refuses what the target refuses, and keeps nothing. */
    String attempt() {
        return into(BesideTable.trial(target.table()));
    }

    private String into(String table) {
        String columns = target.columns().stream().map(Sql::name).collect(Collectors.joining(", "));
        return "INSERT INTO " + Sql.name(target.database()) + "." + Sql.name(table) + " (" + columns + ") SELECT "
                + String.join(", ", target.expressions()) + lines();
    }

    /** Reads lines and keeps nothing: whether they can be read and made into values of the columns. */
    public String trial() {
        return "INSERT INTO FUNCTION null('x UInt8') SELECT ignore(" + String.join(", ", target.expressions()) + ")"
                + lines();
    }

    private String lines() {
        return " FROM input(" + Sql.text(target.structure()) + ") FORMAT JSONEachRow";
    }

    public Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("max_insert_block_size", ONE_BLOCK);
        all.put("min_insert_block_size_rows", ONE_BLOCK);
        all.put("min_insert_block_size_bytes", "0");
        all.put("date_time_input_format", "best_effort");
        all.put("input_format_skip_unknown_fields", "1");
        all.put("input_format_null_as_default", "1");
        all.put("input_format_json_read_objects_as_strings", "1");
        boolean views =
                settings.flag("db_parallel_view_processing") || settings.flag("clickhouse_parallel_view_processing");
        all.put("parallel_view_processing", views ? "1" : "0");
        return all;
    }
}
