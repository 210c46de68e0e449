package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The SQL by which the database reads one file into the table of a pipe; pure. */
final class FileReading {
    /** Formats of which each line is a record, so that a bad one can be left out. */
    private static final Set<String> BY_LINE =
            Set.of("JSONEachRow", "JSONAsObject", "CSV", "CSVWithNames", "TabSeparated", "TabSeparatedWithNames");

    private static final Set<String> TO_THE_DATABASE =
            Set.of("max_threads", "max_download_threads", "min_insert_block_size_bytes", "parallel_view_processing");

    private final Tree.Members source;
    private final Tree.Members settings;
    private final Target target;
    private final FileStore store;

    FileReading(Assignment assignment, FileStore store) {
        this.source = assignment.source();
        this.settings = assignment.settings();
        this.target = assignment.target();
        this.store = store;
    }

    String format() {
        return source.text("format").orElse("JSONEachRow");
    }

    boolean byLine() {
        return BY_LINE.contains(format());
    }

    /** Whether the first line names the columns. */
    boolean hasHeading() {
        return format().endsWith("WithNames");
    }

    /** Takes the whole file in one statement. */
    String insert(String key) throws SourceAway {
        return "INSERT INTO " + Sql.name(target.database()) + "." + Sql.name(target.table()) + " ("
                + names(target.columns()) + ") SELECT " + String.join(", ", target.expressions()) + " FROM "
                + file(key, format(), target.structure());
    }

    /** Takes lines of a file, which come with the statement; it knows no longer when that was written. */
    String insertLines(String part, long size) {
        return "INSERT INTO " + Sql.name(target.database()) + "." + Sql.name(target.table()) + " ("
                + names(target.columns()) + ") WITH " + Sql.text(part.substring(part.lastIndexOf('/') + 1))
                + " AS _file, " + Sql.text(part) + " AS _path, toUInt64(" + size + ") AS _size, toDateTime(0) AS _time"
                + " SELECT " + String.join(", ", target.expressions()) + " FROM input("
                + Sql.text(target.structure()) + ") FORMAT " + format();
    }

    /** Reads the lines as they are, in their order. */
    String lines(String key) throws SourceAway {
        return "SELECT line FROM " + file(key, "LineAsString", "line String") + " FORMAT TSVRaw";
    }

    /** Reads its first lines as they are. */
    String firstLines(String key, int count) throws SourceAway {
        return "SELECT line FROM " + file(key, "LineAsString", "line String") + " LIMIT " + count + " FORMAT TSVRaw";
    }

    /** The file as a table, with the columns that the database finds in it. */
    String table(String key) throws SourceAway {
        return file(key, format(), "");
    }

    /** Reads lines and keeps nothing: whether they can be read. */
    String trial() {
        return "INSERT INTO FUNCTION null(" + Sql.text(target.structure()) + ") FORMAT " + format();
    }

    /** The settings of reading and writing. */
    Map<String, String> settings(boolean leaveOutBadLines) {
        Map<String, String> all = new LinkedHashMap<>();
        settings.values().forEach((name, value) -> {
            String bare = name.replaceFirst("^(db|clickhouse)_", "");
            if (TO_THE_DATABASE.contains(bare)) {
                all.put(bare, words(value));
            }
        });
        all.put("date_time_input_format", "best_effort");
        all.put("input_format_skip_unknown_fields", "1");
        all.put("input_format_null_as_default", "1");
        all.put("input_format_parquet_allow_missing_columns", "1");
        all.put("input_format_parquet_preserve_order", "1");
        all.put("input_format_json_read_objects_as_strings", "1");
        source.text("delimiter")
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> all.put("format_csv_delimiter", text));
        if (leaveOutBadLines) {
            all.put("input_format_allow_errors_num", Integer.toString(Integer.MAX_VALUE));
            all.put("input_format_allow_errors_ratio", "1");
        }
        return all;
    }

    private static String words(Tree value) {
        return switch (value) {
            case Tree.Figure(double number) -> String.format(Locale.ROOT, "%.0f", number);
            case Tree.Flag(boolean flag) -> flag ? "1" : "0";
            case Tree.Text(String text) -> text;
            case Tree.Nothing _, Tree.Items _, Tree.Members _ -> "";
        };
    }

    private String file(String key, String format, String structure) throws SourceAway {
        String compression =
                source.text("compression").filter(text -> !text.isEmpty()).orElse("auto");
        return store.table(key, format, structure, compression);
    }

    private static String names(List<String> columns) {
        return columns.stream().map(Sql::name).collect(Collectors.joining(", "));
    }
}
