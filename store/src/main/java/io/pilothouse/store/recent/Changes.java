package io.pilothouse.store.recent;

import java.util.HashSet;
import java.util.Set;

/** What a transaction has changed, or may have. */
public final class Changes {
    private final Set<Row> rows = new HashSet<>();
    private final Set<Object> kinds = new HashSet<>();

    record Row(Object kind, Object id) {}

    public void add(Object kind, Object id) {
        rows.add(new Row(kind, id));
        kinds.add(kind);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    boolean has(Object kind, Object id) {
        return rows.contains(new Row(kind, id));
    }

    /** Whether any row of this kind is among them. */
    boolean hasAny(Object kind) {
        return kinds.contains(kind);
    }

    Set<Row> rows() {
        return rows;
    }

    Set<Object> kinds() {
        return kinds;
    }
}
