package io.pilothouse.store;

import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One kind's rows in one transaction: a few columns to find them by, and a document for the rest. */
final class DocumentTable<T extends Stored> implements Table<T> {
    private static final String BEFORE_ALL_IDS = "";
    private static final String AFTER_ALL_IDS = "g";

    private final Transaction transaction;
    private final DocumentStatements<T> statements;

    DocumentTable(Transaction transaction, DocumentStatements<T> statements) {
        this.transaction = transaction;
        this.statements = statements;
    }

    @Override
    public T insert(T row) {
        transaction.changing(statements, row.id());
        transaction.change(statements.insert, statements.inserted(row));
        return statements.rows.withVersion(row, 1);
    }

    @Override
    public Optional<T> find(UUID id) {
        return transaction.recent(view -> view.byId(statements, id, () -> findNow(id)), () -> findNow(id));
    }

    private Optional<T> findNow(UUID id) {
        return transaction.first(statements.find, this::read, id.toString());
    }

    @Override
    public Optional<T> findByReference(String reference) {
        return transaction.recent(
                view -> view.byReference(statements, reference, () -> findNow(reference)), () -> findNow(reference));
    }

    private Optional<T> findNow(String reference) {
        return listByReference(reference, 1).stream().findFirst();
    }

    @Override
    public List<T> listByReference(String reference, int limit) {
        return transaction.list(statements.listByReference, this::read, reference, limit);
    }

    @Override
    public List<T> listByLabel(String label, int limit) {
        return transaction.list(statements.listByLabel, this::read, label, limit);
    }

    @Override
    public Optional<T> newestByLabel(String label) {
        return transaction.first(statements.newestByLabel, this::read, label);
    }

    @Override
    public long countByLabel(String label) {
        return transaction.number(statements.countByLabel, label);
    }

    @Override
    public List<T> all(@Nullable UUID afterId, int limit) {
        String after = afterId == null ? BEFORE_ALL_IDS : afterId.toString();
        return transaction.list(statements.all, this::read, after, limit);
    }

    @Override
    public List<T> page(UUID ownerId, @Nullable Cursor after, int limit) {
        long createdAt = after == null ? Long.MIN_VALUE : EpochNanos.of(after.createdAt());
        String id = after == null ? BEFORE_ALL_IDS : after.id().toString();
        return transaction.list(statements.page, this::read, ownerId.toString(), createdAt, id, limit);
    }

    @Override
    public List<T> pageBackwards(UUID ownerId, @Nullable Cursor before, int limit) {
        long createdAt = before == null ? Long.MAX_VALUE : EpochNanos.of(before.createdAt());
        String id = before == null ? AFTER_ALL_IDS : before.id().toString();
        return transaction.list(statements.pageBackwards, this::read, ownerId.toString(), createdAt, id, limit);
    }

    @Override
    public long count(UUID ownerId) {
        return transaction.number(statements.count, ownerId.toString());
    }

    @Override
    public Optional<T> replace(T next, long readVersion) {
        T written = statements.rows.withVersion(next, readVersion + 1);
        transaction.changing(statements, next.id());
        int rows = transaction.change(
                statements.replace,
                statements.rows.reference(next),
                statements.rows.label(next),
                readVersion + 1,
                statements.document(next),
                next.id().toString(),
                readVersion);
        return rows == 0 ? Optional.empty() : Optional.of(written);
    }

    @Override
    public boolean delete(UUID id, long readVersion) {
        transaction.changing(statements, id);
        return transaction.change(statements.delete, id.toString(), readVersion) > 0;
    }

    private T read(ResultSet row) throws SQLException {
        return statements.rows.read(row);
    }
}
