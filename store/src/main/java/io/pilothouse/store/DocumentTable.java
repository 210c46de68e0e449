package io.pilothouse.store;

import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Table;
import io.pilothouse.store.rows.EpochNanos;
import io.pilothouse.store.rows.Rows;
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
        Rows.Written<T> written = statements.rows.write(row, 1);
        transaction.changeLater(statements.insert, statements.inserted(row, written.document()));
        return written.row();
    }

    @Override
    public Optional<T> find(UUID id) {
        return transaction.recent(view -> view.byId(statements, id, () -> findNow(id)), () -> findNow(id));
    }

    private Optional<T> findNow(UUID id) {
        return transaction.first(statements.find, statements::read, id.toString());
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
        return transaction.list(statements.listByReference, statements::read, reference, limit);
    }

    @Override
    public List<T> newestByReference(String reference, int limit) {
        return transaction.list(statements.newestByReference, statements::read, reference, limit);
    }

    @Override
    public List<T> listByLabel(String label, int limit) {
        return transaction.list(statements.listByLabel, statements::read, label, limit);
    }

    @Override
    public Optional<T> newestByLabel(String label) {
        return transaction.first(statements.newestByLabel, statements::read, label);
    }

    @Override
    public long countByLabel(String label) {
        return transaction.number(statements.countByLabel, label);
    }

    @Override
    public List<T> all(@Nullable UUID afterId, int limit) {
        String after = afterId == null ? BEFORE_ALL_IDS : afterId.toString();
        return transaction.list(statements.all, statements::read, after, limit);
    }

    @Override
    public List<T> page(UUID ownerId, @Nullable Cursor after, int limit) {
        long createdAt = after == null ? Long.MIN_VALUE : EpochNanos.of(after.createdAt());
        String id = after == null ? BEFORE_ALL_IDS : after.id().toString();
        return transaction.list(statements.page, statements::read, ownerId.toString(), createdAt, id, limit);
    }

    @Override
    public List<T> pageBackwards(UUID ownerId, @Nullable Cursor before, int limit) {
        long createdAt = before == null ? Long.MAX_VALUE : EpochNanos.of(before.createdAt());
        String id = before == null ? AFTER_ALL_IDS : before.id().toString();
        return transaction.list(statements.pageBackwards, statements::read, ownerId.toString(), createdAt, id, limit);
    }

    @Override
    public long count(UUID ownerId) {
        return transaction.number(statements.count, ownerId.toString());
    }

    @Override
    public Optional<T> replace(T next, long readVersion) {
        Rows.Written<T> written = statements.rows.write(next, readVersion + 1);
        transaction.changing(statements, next.id());
        int rows = transaction.change(
                statements.replace,
                statements.rows.reference().apply(next),
                statements.rows.label().apply(next),
                readVersion + 1,
                written.document(),
                next.id().toString(),
                readVersion);
        return rows == 0 ? Optional.empty() : Optional.of(written.row());
    }

    @Override
    public boolean delete(UUID id, long readVersion) {
        transaction.changing(statements, id);
        return transaction.change(statements.delete, id.toString(), readVersion) > 0;
    }
}
