package io.pilothouse.store;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.store.rows.EpochNanos;
import io.pilothouse.store.rows.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements over one kind's table, spelled once. */
final class DocumentStatements<T extends Stored> {
    private static final Map<Kind<?>, DocumentStatements<?>> ALL =
            Rows.all().stream().collect(Collectors.toUnmodifiableMap(Rows::kind, DocumentStatements::new));

    final Rows<T> rows;

    final String insert;
    final String find;
    final String listByReference;
    final String newestByReference;
    final String listByLabel;
    final String newestByLabel;
    final String countByLabel;
    final String all;
    final String page;
    final String pageBackwards;
    final String count;
    final String replace;
    final String label;
    final String delete;

    @SuppressWarnings("unchecked") // A kind is registered with rows of its own type.
    static <T extends Stored> DocumentStatements<T> of(Kind<T> kind) {
        DocumentStatements<?> statements = ALL.get(kind);
        if (statements == null) {
            throw new IllegalArgumentException("The store has no rows for " + kind);
        }
        return (DocumentStatements<T>) statements;
    }

    private DocumentStatements(Rows<T> rows) {
        this.rows = rows;
        String table = rows.kind().table();
        String select = "SELECT id, owner_id, created_at, version, document FROM " + table;
        insert = "INSERT INTO " + table
                + " (id, owner_id, reference, label, created_at, version, document) VALUES (?, ?, ?, ?, ?, 1, ?)";
        find = select + " WHERE id = ?";
        listByReference = select + " WHERE reference = ? ORDER BY created_at, id LIMIT ?";
        newestByReference = select + " WHERE reference = ? ORDER BY created_at DESC, id DESC LIMIT ?";
        listByLabel = select + " WHERE label = ? ORDER BY created_at, id LIMIT ?";
        newestByLabel = select + " WHERE label = ? ORDER BY created_at DESC, id DESC LIMIT 1";
        countByLabel = "SELECT COUNT(*) FROM " + table + " WHERE label = ?";
        all = select + " WHERE id > ? ORDER BY id LIMIT ?";
        page = select + " WHERE owner_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?";
        pageBackwards =
                select + " WHERE owner_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?";
        count = "SELECT COUNT(*) FROM " + table + " WHERE owner_id = ?";
        // Owner and creation stay as they are for life: leaving them out keeps their index untouched.
        replace = "UPDATE " + table
                + " SET reference = ?, label = ?, version = ?, document = ? WHERE id = ? AND version = ?";
        label = "UPDATE " + table + " SET label = ? WHERE id = ?";
        delete = "DELETE FROM " + table + " WHERE id = ? AND version = ?";
    }

    /** The values that {@link #insert} takes. */
    @Nullable
    Object[] inserted(T row, String document) {
        return new @Nullable Object[] {
            row.id().toString(),
            row.ownerId().toString(),
            rows.reference().apply(row),
            rows.label().apply(row),
            EpochNanos.of(row.createdAt()),
            document
        };
    }

    /** Reads the columns that every statement over documents selects, in their order. */
    T read(ResultSet row) throws SQLException {
        Head head = new Head(
                UUID.fromString(row.getString(1)),
                UUID.fromString(row.getString(2)),
                EpochNanos.toInstant(row.getLong(3)),
                row.getLong(4));
        return rows.read(head, row.getBytes(5));
    }
}
