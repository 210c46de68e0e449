package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.BesideTable;
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

    /** The database cuts a file into pieces of this size to read several at once, which costs more than it gains for one or two. */
    private static final long SMALL_BYTES = 16 << 20;

    /** A block as the database would cut it: what is larger would fill its memory. */
    private static final long BLOCK_ROWS = 1_000_000;

    private static final long BLOCK_BYTES = 256L << 20;
    /** How much larger the rows of a typed file are than the file, as a rule. */
    private static final int TYPED_INFLATE = 4;

    private static final String ONE_BLOCK = "1000000000";

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

    /** Whether there is no use in trying to take it as one block. */
    boolean isLarge(long size) {
        return size > (byLine() ? BLOCK_BYTES : BLOCK_BYTES / TYPED_INFLATE);
    }

    /** Whether rows that are in a table are more than one block is to be. */
    static boolean isLarge(long rows, long bytes) {
        return rows > BLOCK_ROWS || bytes > BLOCK_BYTES * TYPED_INFLATE;
    }

    /** Takes the whole file as one block, which is there as a whole or not at all; none of one that is too large. */
    String insert(String key) throws SourceAway {
        return into(target.database(), target.table())
                + " SELECT " + String.join(", ", target.expressions()) + " FROM "
                + file(key, format(), target.structure())
                + " WHERE NOT throwIf(rowNumberInAllBlocks() >= " + BLOCK_ROWS
                + ", 'The file is too large for one block.')";
    }

    /** Takes the whole file into a table that holds it until all of it is there. */
    String stage(String key, String table) throws SourceAway {
        return into(BesideTable.STAGED, table)
                + " SELECT " + String.join(", ", target.expressions()) + " FROM "
                + file(key, format(), target.structure());
    }

    /** Which blocks there are in such a table. */
    static String blocks(String table) {
        return "SELECT DISTINCT _part FROM " + Sql.name(BesideTable.STAGED) + "." + Sql.name(table)
                + " ORDER BY _part FORMAT TSVRaw";
    }

    /** Whether the target would refuse what such a table holds. */
    String attempt(String table) {
        return into(target.database(), BesideTable.trial(target.table())) + staged(table);
    }

    /** Moves one block of such a table to the target; all there is for an empty name. */
    String move(String table, String block) {
        return into(target.database(), target.table())
                + staged(table)
                + (block.isEmpty() ? "" : " WHERE _part = " + Sql.text(block));
    }

    private String into(String database, String table) {
        return "INSERT INTO " + Sql.name(database) + "." + Sql.name(table) + " (" + names(target.columns()) + ")";
    }

    private String staged(String table) {
        return " SELECT " + names(target.columns()) + " FROM " + Sql.name(BesideTable.STAGED) + "." + Sql.name(table);
    }

    /** Those of an insert of one block. */
    Map<String, String> asOneBlock(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("min_insert_block_size_rows", ONE_BLOCK);
        all.put("min_insert_block_size_bytes", "0");
        return all;
    }

    /** The settings of an insert that takes a file as one block. */
    Map<String, String> settingsOfOneBlock(long size) {
        Map<String, String> all = asOneBlock(settings(size, false));
        all.put("max_bytes_to_read", Long.toString(BLOCK_BYTES));
        return all;
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

    /** Reads the first rows of a file and keeps nothing: whether they can be made into values of the columns. */
    String trial(String key, int rows) throws SourceAway {
        return "INSERT INTO FUNCTION null('x UInt8') SELECT ignore(" + String.join(", ", target.expressions())
                + ") FROM " + file(key, format(), target.structure()) + " LIMIT " + rows;
    }

    /** The same of one file of this size. */
    Map<String, String> settings(long size, boolean leaveOutBadLines) {
        Map<String, String> all = settings(leaveOutBadLines);
        // Not every server says how large a file is.
        if (size > 0 && size < SMALL_BYTES) {
            all.put("input_format_parallel_parsing", "0");
        }
        return all;
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
