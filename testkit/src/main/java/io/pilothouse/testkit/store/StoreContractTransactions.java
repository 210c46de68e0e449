package io.pilothouse.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Transactions: all or nothing, one snapshot, and the actions after a commit. */
interface StoreContractTransactions extends StoreContractHost {
    private static Organization row() {
        return StoreContractSamples.bareOrganization();
    }

    private boolean isThere(Organization row) {
        return store().read(tables -> tables.of(Organization.KIND).find(row.id()))
                .isPresent();
    }

    /** A mistake of the work's own. */
    final class Mistake extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    default void failedWorkLeavesNothingAndItsFailureComesOut() {
        Organization row = row();
        Mistake mistake = new Mistake();
        assertThatThrownBy(() -> store().write(tables -> {
                    tables.of(Organization.KIND).insert(row);
                    throw mistake;
                }))
                .isSameAs(mistake);
        assertThat(isThere(row)).isFalse();
    }

    @Test
    default void failedAssertionInsideWorkComesOutToo() {
        Organization row = row();
        AssertionError error = new AssertionError("wrong");
        assertThatThrownBy(() -> store().write(tables -> {
                    tables.of(Organization.KIND).insert(row);
                    throw error;
                }))
                .isSameAs(error);
        assertThat(isThere(row)).isFalse();
        assertThatThrownBy(() -> store().read(tables -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    default void failedReadHurtsNoLaterRead() {
        Organization row = store().write(tables -> tables.of(Organization.KIND).insert(row()));
        for (int i = 0; i < 100; i++) {
            assertThatExceptionOfType(Mistake.class)
                    .isThrownBy(() -> store().read(tables -> {
                        tables.of(Organization.KIND).find(row.id());
                        throw new Mistake();
                    }));
        }
        assertThat(isThere(row)).isTrue();
    }

    @Test
    default void swallowedFailureIsNotKept() {
        Organization taken =
                store().write(tables -> tables.of(Organization.KIND).insert(row()));
        Organization other = row();
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables -> {
                    tables.of(Organization.KIND).insert(other);
                    assertThatIllegalStateException()
                            .isThrownBy(() -> tables.of(Organization.KIND).insert(taken));
                    return "all is well";
                }));
        assertThat(isThere(other)).isFalse();
    }

    @Test
    default void nestedWriteSeesAndIsSeenAndIsKeptWithTheOuter() {
        Organization outer = row();
        Organization inner = row();
        store().<Boolean>write(tables -> {
            tables.of(Organization.KIND).insert(outer);
            store().<Boolean>write(nested -> {
                assertThat(nested.of(Organization.KIND).find(outer.id())).isPresent();
                nested.of(Organization.KIND).insert(inner);
                return true;
            });
            assertThat(tables.of(Organization.KIND).find(inner.id())).isPresent();
            return true;
        });
        assertThat(isThere(outer)).isTrue();
        assertThat(isThere(inner)).isTrue();
    }

    @Test
    default void nestedWriteIsUndoneWithTheOuter() {
        Organization inner = row();
        assertThatExceptionOfType(Mistake.class)
                .isThrownBy(() -> store().write(tables -> {
                    store().write(nested -> nested.of(Organization.KIND).insert(inner));
                    throw new Mistake();
                }));
        assertThat(isThere(inner)).isFalse();
    }

    @Test
    default void failedNestedWriteTakesTheOuterWithIt() {
        Organization outer = row();
        assertThatExceptionOfType(Mistake.class)
                .isThrownBy(() -> store().write(tables -> {
                    tables.of(Organization.KIND).insert(outer);
                    assertThatExceptionOfType(Mistake.class)
                            .isThrownBy(() -> store().write(nested -> {
                                throw new Mistake();
                            }));
                    return "all is well";
                }));
        assertThat(isThere(outer)).isFalse();
    }

    @Test
    default void readInsideAWriteSeesItsRowsAndCannotWrite() {
        Organization row = row();
        store().<Boolean>write(tables -> {
            tables.of(Organization.KIND).insert(row);
            store().<Boolean>read(inner -> {
                assertThat(inner.of(Organization.KIND).find(row.id())).isPresent();
                assertThatIllegalStateException()
                        .isThrownBy(() -> inner.of(Organization.KIND).delete(row.id(), 1));
                assertThatIllegalStateException()
                        .isThrownBy(() -> store().write(
                                        nested -> nested.of(Organization.KIND).insert(row())));
                return true;
            });
            return true;
        });
        assertThat(isThere(row)).isTrue();
    }

    @Test
    default void readCannotWrite() {
        Organization row = row();
        store().<Boolean>read(tables -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tables.of(Organization.KIND).insert(row));
            assertThatIllegalStateException()
                    .isThrownBy(() ->
                            store().write(nested -> nested.of(Organization.KIND).insert(row)));
            assertThatIllegalStateException().isThrownBy(() -> tables.afterCommit(() -> {}));
            return true;
        });
        assertThat(isThere(row)).isFalse();
    }

    @Test
    default void readInsideAReadSeesTheSameSnapshot() {
        Organization row = row();
        try (ExecutorService elsewhere = Executors.newVirtualThreadPerTaskExecutor()) {
            store().<Boolean>read(tables -> {
                assertThat(tables.of(Organization.KIND).find(row.id())).isEmpty();
                StoreContractCrowds.join(elsewhere.submit(
                        () -> store().write(other -> other.of(Organization.KIND).insert(row))));
                assertThat(tables.of(Organization.KIND).find(row.id())).isEmpty();
                assertRead(inner -> inner.of(Organization.KIND).find(row.id())).isEqualTo(Optional.empty());
                return true;
            });
        }
        assertThat(isThere(row)).isTrue();
    }

    @Test
    default void tablesAreOfNoUseAfterTheirWork() {
        Tables written = store().write(tables -> tables);
        assertThatIllegalStateException()
                .isThrownBy(() -> written.of(Organization.KIND).insert(row()));
        Tables read = store().read(tables -> tables);
        assertThatIllegalStateException()
                .isThrownBy(() -> read.of(Organization.KIND).count(UUID.randomUUID()));
    }

    @Test
    default void tablesAreOfNoUseOnAnotherThread() {
        Organization row = row();
        try (ExecutorService elsewhere = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> store().write(tables -> {
                        var misused = elsewhere.submit(
                                () -> tables.of(Organization.KIND).insert(row));
                        return StoreContractCrowds.join(misused);
                    }));
        }
        assertThat(isThere(row)).isFalse();
    }

    @Test
    default void theFollowUpOfACommitRunsOnceItIsKept() {
        Organization row = row();
        List<String> seen = new ArrayList<>();
        store().<Boolean>write(tables -> {
            tables.afterCommit(() -> seen.add("first, there: " + isThere(row)));
            store().<Boolean>write(nested -> {
                nested.afterCommit(() -> seen.add("nested"));
                return true;
            });
            tables.of(Organization.KIND).insert(row);
            assertThat(seen).isEmpty();
            return true;
        });
        assertThat(seen).containsExactly("first, there: true", "nested");
    }

    @Test
    default void nothingFollowsARollback() {
        List<String> seen = new ArrayList<>();
        assertThatExceptionOfType(Mistake.class)
                .isThrownBy(() -> store().write(tables -> {
                    tables.afterCommit(() -> seen.add("ran"));
                    throw new Mistake();
                }));
        assertThat(seen).isEmpty();
    }

    @Test
    default void failedNudgeFailsNoWrite() {
        Organization row = row();
        List<String> seen = new ArrayList<>();
        store().<Organization>write(tables -> {
            tables.afterCommit(() -> {
                throw new Mistake();
            });
            tables.afterCommit(() -> {
                throw new AssertionError("a nudge went wrong");
            });
            tables.afterCommit(() -> seen.add("third"));
            return tables.of(Organization.KIND).insert(row);
        });
        assertThat(seen).containsExactly("third");
        assertThat(isThere(row)).isTrue();
    }

    @Test
    default void nudgeMayWrite() {
        Organization row = row();
        store().<Boolean>write(tables -> {
            tables.afterCommit(
                    () -> store().write(next -> next.of(Organization.KIND).insert(row)));
            return true;
        });
        assertThat(isThere(row)).isTrue();
    }

    @Test
    default void interruptedCallerKnowsWhetherItWasKept() {
        for (int i = 0; i < 20; i++) {
            Organization row = row();
            boolean kept;
            Thread.currentThread().interrupt();
            try {
                store().write(tables -> tables.of(Organization.KIND).insert(row));
                kept = true;
            } catch (StoreUnavailable e) {
                kept = false;
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(isThere(row)).isEqualTo(kept);
        }
    }

    @Test
    default void closedStoreSaysSo() {
        assertThat(store().reachable()).isTrue();
        store().close();
        assertThat(store().reachable()).isFalse();
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() ->
                        store().write(tables -> tables.of(Organization.KIND).insert(row())));
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() ->
                        store().read(tables -> tables.of(Organization.KIND).find(UUID.randomUUID())));
        store().close();
    }
}
