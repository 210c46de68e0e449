package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.testkit.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows that were read recently: found without a query, and never a commit behind. */
abstract class RecentRowsContract {
    private static final int READERS = 4;
    private static final int ROUNDS = Walk.length(200, 20_000);

    /** The store that is read. */
    abstract Store store();

    /** The store that is written to, which is the same, or also another process's. */
    abstract Store writer();

    /** How many reads can be under way at the same time. */
    abstract int connections();

    private Organization find(UUID id) {
        return store().read(tables -> tables.of(Organization.KIND).find(id)).orElseThrow();
    }

    private void rename(String name, Organization... rows) {
        writer().write(tables -> {
            for (Organization row : rows) {
                Organization now = tables.of(Organization.KIND).find(row.id()).orElseThrow();
                tables.of(Organization.KIND).overwrite(Samples.named(now, name));
            }
            return rows.length;
        });
    }

    @Test
    void askingAgainNeedsNoConnection() {
        Organization row = Samples.insert(writer(), Samples.row());
        Organization first = find(row.id());
        List<Held> all = new ArrayList<>();
        try {
            for (int connection = 0; connection < connections(); connection++) {
                all.add(Held.read(store()));
            }
            assertThat(find(row.id())).isSameAs(first);
            assertThat(all).noneMatch(Held::isDone);
        } finally {
            all.forEach(Held::close);
        }
    }

    @Test
    void aChangedRowIsReadAsItIsNow() {
        Organization row = Samples.insert(writer(), Samples.row());
        find(row.id());
        rename("later", row);
        assertThat(find(row.id()).name()).isEqualTo("later");
    }

    @Test
    void aDeletedRowIsNotThere() {
        Organization row = Samples.insert(writer(), Samples.row());
        Organization now = find(row.id());
        writer().write(tables -> tables.of(Organization.KIND).delete(now.id(), now.version()));
        assertThat(Samples.isThere(store(), row)).isFalse();
    }

    @Test
    void aMissingRowIsFoundOnceItIsThere() {
        Organization row = Samples.row();
        assertThat(Samples.isThere(store(), row)).isFalse();
        Samples.insert(writer(), row);
        assertThat(Samples.isThere(store(), row)).isTrue();
    }

    @Test
    void aWriteThatWasUndoneIsNotSeen() {
        Organization row = Samples.insert(writer(), Samples.row());
        find(row.id());
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> writer().write(tables -> {
                    tables.of(Organization.KIND).overwrite(Samples.named(row, "never"));
                    throw new IllegalStateException("undone");
                }));
        assertThat(find(row.id()).name()).isEqualTo(row.name());
    }

    @Test
    void aReadThatACommitCutInTwoIsRunAgain() {
        Organization known = Samples.insert(writer(), Samples.row());
        Organization unknown = Samples.insert(writer(), Samples.row());
        find(known.id());
        AtomicInteger runs = new AtomicInteger();
        List<String> names = store().read(tables -> {
            String first =
                    tables.of(Organization.KIND).find(known.id()).orElseThrow().name();
            if (runs.incrementAndGet() == 1) {
                new Crowd<Boolean>()
                        .add(() -> {
                            rename("both", known, unknown);
                            return true;
                        })
                        .result();
            }
            return List.of(
                    first,
                    tables.of(Organization.KIND)
                            .find(unknown.id())
                            .orElseThrow()
                            .name());
        });
        assertThat(names).containsExactly("both", "both");
        assertThat(runs).hasValue(2);
    }

    @Test
    void aReadThatUsedNothingIsNotRunAgain() {
        Organization row = Samples.insert(writer(), Samples.row());
        AtomicInteger runs = new AtomicInteger();
        Optional<Organization> found = store().read(tables -> {
            runs.incrementAndGet();
            new Crowd<Organization>()
                    .add(() -> Samples.insert(writer(), Samples.row()))
                    .result();
            return tables.of(Organization.KIND).find(row.id());
        });
        assertThat(found).isPresent();
        assertThat(runs).hasValue(1);
    }

    @Test
    void rowsThatChangeTogetherAreReadTogether() throws ExecutionException, InterruptedException {
        Organization one = Samples.insert(writer(), Samples.row());
        Organization other = Samples.insert(writer(), Samples.row());
        rename("0", one, other);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<List<String>>> torn = new ArrayList<>();
        // Threads of their own: what finds all it asks for never waits, and would keep virtual ones from running.
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            for (int reader = 0; reader < READERS; reader++) {
                List<UUID> order = reader % 2 == 0 ? List.of(one.id(), other.id()) : List.of(other.id(), one.id());
                torn.add(readers.submit(() -> readUntil(over, order)));
            }
            try {
                renameAndFind(one, other);
            } finally {
                over.set(true);
            }
        }
        for (Future<List<String>> found : torn) {
            assertThat(found.get()).isEmpty();
        }
    }

    private void renameAndFind(Organization one, Organization other) {
        for (int round = 1; round <= ROUNDS; round++) {
            rename("" + round, one, other);
            // Acknowledged is visible, to everybody and at once.
            assertThat(find(one.id()).name()).isEqualTo("" + round);
        }
    }

    /** The rows that were read but never written, or were older than those read before. */
    private List<String> readUntil(AtomicBoolean over, List<UUID> order) {
        List<String> torn = new ArrayList<>();
        int last = 0;
        while (!over.get()) {
            List<String> names = store().read(tables -> order.stream()
                    .map(id ->
                            tables.of(Organization.KIND).find(id).orElseThrow().name())
                    .toList());
            int now = Integer.parseInt(names.getFirst());
            if (!names.getFirst().equals(names.getLast()) || now < last) {
                torn.add(names + " after " + last);
            }
            last = now;
        }
        return torn;
    }

    @Test
    void aClosedStoreAnswersNothing() {
        Organization row = Samples.insert(writer(), Samples.row());
        find(row.id());
        store().close();
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> find(row.id()));
    }
}
