package io.pilothouse.plane.local.setting;

import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.setting.SettingShape;
import io.pilothouse.core.setting.SettingValues;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a database says in {@code system.settings}, and the words of those types that are lists of words. Which columns
 * there are differs from version to version.
 */
public record SettingRows(List<Row> rows, Map<String, List<String>> words) {
    public static final String COLUMNS = "SELECT arrayStringConcat(groupArray(name), ',') FROM system.columns"
            + " WHERE database = 'system' AND table = 'settings'";

    private static final int MAX_DESCRIPTION = 400;
    private static final String NOTHING = "\\N";
    private static final Set<String> OF_THE_PROGRAM = Set.of("readonly");
    private static final Set<String> LISTS = Set.of("JoinAlgorithm", "MySQLDataTypesSupport");
    private static final BigInteger MAX_SIGNED = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger MAX_UNSIGNED = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(1L << 31);
    private static final BigDecimal LARGE = BigDecimal.TEN.pow(15);
    private static final TextRule TEXT = new TextRule(0, 1024, TextRule.Alphabet.WITHOUT_CONTROLS);
    private static final PatternRule CHARACTER = PatternRule.of("[^\\p{Cc}]?", "must be one character");

    /** Each column, and what stands for it where there is none. */
    private static final Map<String, String> ASKED = asked();

    /** One setting as the database shows it. */
    public record Row(
            String name,
            String type,
            String byDefault,
            @Nullable String min,
            @Nullable String max,
            boolean readonly,
            boolean obsolete,
            String aliasFor,
            String tier,
            String description) {}

    public SettingRows {
        rows = List.copyOf(rows);
        words = Map.copyOf(words);
    }

    private static Map<String, String> asked() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("name", "''");
        columns.put("type", "''");
        columns.put("default", "value");
        columns.put("min", "NULL");
        columns.put("max", "NULL");
        columns.put("readonly", "0");
        columns.put("is_obsolete", "0");
        columns.put("alias_for", "''");
        columns.put("tier", "''");
        columns.put("description", "''");
        return columns;
    }

    /** Asks for the columns among these, which are divided by commas. */
    public static String question(String columns) {
        Set<String> there = Set.of(columns.split(","));
        return ASKED.entrySet().stream()
                .map(asked -> there.contains(asked.getKey()) ? "`" + asked.getKey() + "`" : asked.getValue())
                .collect(
                        Collectors.joining(", ", "SELECT ", " FROM system.settings ORDER BY name FORMAT TabSeparated"));
    }

    /** Reads the answer to the question, or what {@link #text} wrote. */
    public static SettingRows parse(String text) throws IOException {
        List<Row> rows = new ArrayList<>();
        Map<String, List<String>> words = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            List<String> columns = Stream.of(line.split("\t", -1)).toList();
            if (columns.getFirst().equals(NOTHING)) {
                words.put(columns.get(1), columns.subList(2, columns.size()));
            } else if (columns.size() < ASKED.size() - 1) {
                throw new IOException("Settings have too few columns.");
            } else {
                rows.add(row(columns));
            }
        }
        return new SettingRows(rows, words);
    }

    private static Row row(List<String> columns) throws IOException {
        return new Row(
                columns.get(0),
                columns.get(1),
                // What the database would choose here is in brackets.
                plain(columns.get(2)).replaceFirst("^auto\\(.*\\)$", SettingValues.AUTO),
                optional(columns.get(3)),
                optional(columns.get(4)),
                columns.get(5).equals("1"),
                columns.get(6).equals("1"),
                columns.get(7),
                columns.get(8),
                // An empty one at the end of the answer is stripped with it.
                columns.size() == ASKED.size() ? shortened(plain(columns.get(9))) : "");
    }

    private static @Nullable String optional(String column) {
        return column.equals(NOTHING) ? null : column;
    }

    /** The first paragraph, without line breaks. */
    private static String shortened(String description) {
        String first = description.strip().split("\n\\s*\n", 2)[0].replaceAll("\\s+", " ");
        return first.length() <= MAX_DESCRIPTION ? first : first.substring(0, MAX_DESCRIPTION - 1) + "…";
    }

    private static String plain(String escaped) throws IOException {
        try {
            return escaped.translateEscapes();
        } catch (IllegalArgumentException malformed) {
            throw new IOException("Settings are not written as they should be.", malformed);
        }
    }

    /** One setting of each type that is neither known here nor a list of words. */
    public List<Row> ofUncheckedTypes() {
        Map<String, Row> unchecked = new LinkedHashMap<>();
        rows.stream()
                .filter(row -> !row.type().isEmpty() && !words.containsKey(row.type()))
                .filter(row -> ofType(row).isEmpty())
                .forEach(row -> unchecked.putIfAbsent(row.type(), row));
        return List.copyOf(unchecked.values());
    }

    public SettingRows withWords(String type, List<String> list) {
        Map<String, List<String>> more = new LinkedHashMap<>(words);
        more.put(type, list);
        return new SettingRows(rows, more);
    }

    /** What {@link #parse} reads. */
    public String text() {
        Stream<String> lists = words.entrySet().stream()
                .map(entry -> Stream.concat(Stream.of(NOTHING, entry.getKey()), entry.getValue().stream())
                        .collect(Collectors.joining("\t")));
        return Stream.concat(lists, rows.stream().map(SettingRows::line)).collect(Collectors.joining("\n"));
    }

    private static String line(Row row) {
        return String.join(
                "\t",
                row.name(),
                row.type(),
                escaped(row.byDefault()),
                row.min() == null ? NOTHING : row.min(),
                row.max() == null ? NOTHING : row.max(),
                row.readonly() ? "1" : "0",
                row.obsolete() ? "1" : "0",
                row.aliasFor(),
                row.tier(),
                escaped(row.description()));
    }

    private static String escaped(String plain) {
        return plain.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    public List<SettingShape> shapes() {
        return rows.stream().map(this::shape).toList();
    }

    private SettingShape shape(Row row) {
        SettingValues values = values(row);
        String listed = values instanceof SettingValues.Words(List<String> list, boolean _)
                ? " One of: " + String.join(", ", list) + "."
                : "";
        return new SettingShape(row.name(), values, row.byDefault(), row.description() + listed, warning(row.tier()));
    }

    private static @Nullable String warning(String tier) {
        return switch (tier) {
            case "Experimental", "Beta" ->
                "ClickHouse calls this setting " + tier.toLowerCase(Locale.ROOT) + ": it may change or fail.";
            default -> null;
        };
    }

    private SettingValues values(Row row) {
        if (OF_THE_PROGRAM.contains(row.name())) {
            return SettingValues.OF_THE_PROGRAM;
        }
        if (row.readonly()) {
            return new SettingValues.Fixed("is read-only");
        }
        if (row.obsolete()) {
            return new SettingValues.Fixed("is obsolete: this ClickHouse ignores it");
        }
        if (!row.aliasFor().isEmpty()) {
            return new SettingValues.Fixed("is another name of " + row.aliasFor() + ": give that one");
        }
        List<String> list = words.getOrDefault(row.type(), List.of());
        Optional<SettingValues> values =
                list.isEmpty() ? ofType(row) : Optional.of(new SettingValues.Words(list, LISTS.contains(row.type())));
        // Such as a line break, which is lost on the way into a file.
        return values.filter(checked -> checked.breach(row.byDefault()).isEmpty())
                .orElseGet(() -> new SettingValues.Fixed("has values that cannot be checked here"));
    }

    /** Empty for a type that is not known here. */
    private static Optional<SettingValues> ofType(Row row) {
        return Optional.ofNullable(
                switch (row.type()) {
                    case "UInt64" -> whole(row, BigInteger.ZERO, MAX_UNSIGNED, false);
                    case "NonZeroUInt64" -> whole(row, BigInteger.ONE, MAX_UNSIGNED, false);
                    case "UInt64Auto", "MaxThreads" -> whole(row, BigInteger.ZERO, MAX_UNSIGNED, true);
                    case "Int64" -> whole(row, BigInteger.valueOf(Long.MIN_VALUE), MAX_SIGNED, false);
                    case "Int32" ->
                        whole(row, BigInteger.valueOf(Integer.MIN_VALUE), BigInteger.valueOf(Integer.MAX_VALUE), false);
                    case "Milliseconds" -> whole(row, BigInteger.ZERO, MAX_SIGNED.shiftRight(10), false);
                    case "Seconds" -> new SettingValues.Fraction(BigDecimal.ZERO, MAX_SECONDS, false);
                    case "Float", "Double" -> fraction(row, false);
                    case "FloatAuto" -> fraction(row, true);
                    case "Bool" -> new SettingValues.Flag(false);
                    case "BoolAuto" -> new SettingValues.Flag(true);
                    case "Char" -> new SettingValues.Text(CHARACTER);
                    case "String" ->
                        row.name().equals("compatibility") ? SettingValues.VERSION : new SettingValues.Text(TEXT);
                    // An old ClickHouse names no types.
                    case "" ->
                        row.byDefault().matches("[0-9]{1,18}") ? whole(row, BigInteger.ZERO, MAX_SIGNED, false) : null;
                    default -> null;
                });
    }

    private static SettingValues whole(Row row, BigInteger min, BigInteger max, boolean auto) {
        return new SettingValues.Whole(
                row.min() == null ? min : new BigInteger(row.min()).max(min),
                row.max() == null ? max : new BigInteger(row.max()).min(max),
                auto);
    }

    private static SettingValues fraction(Row row, boolean auto) {
        return new SettingValues.Fraction(
                row.min() == null ? LARGE.negate() : new BigDecimal(row.min()),
                row.max() == null ? LARGE : new BigDecimal(row.max()),
                auto);
    }
}
