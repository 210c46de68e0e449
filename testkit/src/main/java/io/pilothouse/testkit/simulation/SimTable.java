package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Table;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table of a write, which tells of each change that is made. */
record SimTable<T extends Stored>(Table<T> table, Runnable touched) implements Table<T> {
    @Override
    public T insert(T row) {
        touched.run();
        return table.insert(row);
    }

    @Override
    public Optional<T> replace(T next, long readVersion) {
        touched.run();
        return table.replace(next, readVersion);
    }

    @Override
    public boolean delete(UUID id, long readVersion) {
        touched.run();
        return table.delete(id, readVersion);
    }

    @Override
    public Optional<T> find(UUID id) {
        return table.find(id);
    }

    @Override
    public Optional<T> findByReference(String reference) {
        return table.findByReference(reference);
    }

    @Override
    public List<T> listByReference(String reference, int limit) {
        return table.listByReference(reference, limit);
    }

    @Override
    public List<T> newestByReference(String reference, int limit) {
        return table.newestByReference(reference, limit);
    }

    @Override
    public List<T> listByLabel(String label, int limit) {
        return table.listByLabel(label, limit);
    }

    @Override
    public Optional<T> newestByLabel(String label) {
        return table.newestByLabel(label);
    }

    @Override
    public long countByLabel(String label) {
        return table.countByLabel(label);
    }

    @Override
    public List<T> all(@Nullable UUID afterId, int limit) {
        return table.all(afterId, limit);
    }

    @Override
    public List<T> page(UUID ownerId, @Nullable Cursor after, int limit) {
        return table.page(ownerId, after, limit);
    }

    @Override
    public List<T> pageBackwards(UUID ownerId, @Nullable Cursor before, int limit) {
        return table.pageBackwards(ownerId, before, limit);
    }

    @Override
    public long count(UUID ownerId) {
        return table.count(ownerId);
    }
}
