package io.pilothouse.pipes.worker.postgres;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How values of one type of PostgreSQL, in the text form in which it writes them, become values of a column: {@code
 * raw} is what the text is read as, {@code expression} makes the value of {@code %s}, which may be null. An {@code
 * array} is read as a list in JSON. What has no type of its own in the destination stays the text that it is.
 */
record ColumnType(String type, String raw, String expression, boolean array) {
    private static final int MAX_DIGITS = 76;
    private static final int SCALE_WITHOUT_LIMIT = 38;
    /** What a type modifier of a length or a precision has on top. */
    private static final int MODIFIER_OFFSET = 4;

    private static final int PRECISION_SHIFT = 16;
    private static final int PRECISION_BITS = 0xFFFF;
    private static final int SCALE_BITS = 0x7FF;
    private static final int SCALE_SIGN = 1024;

    private static final String NO_NUMBER = "ifNull(%1$s, 'NaN') IN ('NaN', 'Infinity', '-Infinity')";

    private static final String FIRST_DAY = "1900-01-01";
    private static final String LAST_DAY = "2299-12-31";

    private static final Map<String, String> AS_THEY_ARE = Map.of(
            "int2", "Int16", "int4", "Int32", "int8", "Int64", "oid", "UInt32", "float4", "Float32", "float8",
            "Float64");

    /** Elements that JSON can tell from texts. */
    private static final Set<String> IN_JSON = Set.of("Int16", "Int32", "Int64", "Float32", "Float64", "Bool");

    static ColumnType of(String name, int modifier, @Nullable String element) {
        if (element != null) {
            String inner = of(element, -1, null).type;
            return array(IN_JSON.contains(inner) ? inner : "String");
        }
        String same = AS_THEY_ARE.get(name);
        if (same != null) {
            return plain(same, same, "%s");
        }
        return switch (name) {
            case "bool" -> plain("Bool", "String", "%s = 't'");
            case "numeric" -> numeric(modifier);
            case "uuid" -> plain("UUID", "UUID", "%s");
            case "date" -> plain("Date32", "String", within("toDate32OrNull(%1$s)", "toDate32", ""));
            case "timestamp", "timestamptz" ->
                plain(
                        "DateTime64(6)",
                        "String",
                        within("parseDateTime64BestEffortOrNull(%1$s, 6, 'UTC')", "toDateTime64", ", 6, 'UTC'"));
            case "bytea" -> plain("String", "String", "unhex(substring(%s, 3))");
            default -> plain("String", "String", "%s");
        };
    }

    private static ColumnType plain(String type, String raw, String expression) {
        return new ColumnType(type, raw, expression, false);
    }

    private static ColumnType array(String element) {
        String type = "Array(" + element + ")";
        return new ColumnType(type, "String", "JSONExtract(ifNull(%s, '[]'), '" + type + "')", true);
    }

    private static ColumnType numeric(int modifier) {
        int precision = MAX_DIGITS;
        int scale = SCALE_WITHOUT_LIMIT;
        if (modifier >= MODIFIER_OFFSET) {
            precision = (modifier - MODIFIER_OFFSET) >> PRECISION_SHIFT & PRECISION_BITS;
            scale = ((modifier - MODIFIER_OFFSET & SCALE_BITS) ^ SCALE_SIGN) - SCALE_SIGN;
        }
        if (precision > MAX_DIGITS || scale < 0 || scale > precision) {
            return plain("String", "String", "%s");
        }
        String type = "Decimal(" + precision + ", " + scale + ")";
        // What is inside is made of every row, also of those whose value is not taken.
        String number = "CAST(if(" + NO_NUMBER + ", '0', assumeNotNull(%1$s)), '" + type + "')";
        return plain(type, "String", "if(" + NO_NUMBER + ", NULL, " + number + ")");
    }

    /** Days outside of what a column can hold become its first or its last one. */
    private static String within(String inside, String make, String more) {
        String first = make + "('" + FIRST_DAY + "'" + more + ")";
        String last = make + "('" + LAST_DAY + "'" + more + ")";
        return "multiIf(endsWith(%1$s, 'BC'), " + first + ", position(%1$s, '-') > 5, " + last + ", %1$s < '"
                + FIRST_DAY + "', " + first + ", %1$s >= '2300', " + last + ", " + inside + ")";
    }

    /** The value for a column: null where the column may hold it, else what stands for nothing. */
    String value(String rawColumn, boolean nullable) {
        String value = expression.formatted(rawColumn);
        return nullable || array
                ? value
                : "ifNull(" + value + ", defaultValueOfTypeName('" + type.replace("'", "\\'") + "'))";
    }

    String typeOf(boolean nullable) {
        return nullable && !array ? "Nullable(" + type + ")" : type;
    }
}
