package io.pilothouse.core.port;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One row of any table as the store keeps it: texts, whole numbers ({@code Long}) and nulls. A thing has the columns that
 * are named here; of the rest nothing else needs to know.
 */
public record KeptRow(String table, List<@Nullable Object> values) {
    public static final int ID = 0;
    public static final int OWNER = 1;
    public static final int REFERENCE = 2;
    public static final int CREATED_AT = 3;
    public static final int LABEL = 4;
    public static final int DOCUMENT = 5;

    private static final int BYTES_OF_A_NUMBER = 8;

    public KeptRow(String table, List<@Nullable Object> values) {
        this.table = table;
        this.values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** The text in this column, which has one. */
    public String text(int column) {
        return String.valueOf(values.get(column));
    }

    /** The same row with each of its texts replaced. */
    public KeptRow with(UnaryOperator<String> change) {
        List<@Nullable Object> changed = new ArrayList<>(values);
        changed.replaceAll(value -> value instanceof String text ? change.apply(text) : value);
        return new KeptRow(table, changed);
    }

    /** The same thing under this id. */
    public KeptRow withId(UUID id) {
        List<@Nullable Object> changed = new ArrayList<>(values);
        changed.set(ID, id.toString());
        return new KeptRow(table, changed);
    }

    /** About how much memory it takes. */
    public long size() {
        long size = table.length();
        for (Object value : values) {
            size += value instanceof String text ? text.length() : BYTES_OF_A_NUMBER;
        }
        return size;
    }
}
