package io.pilothouse.store.recent;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which moment of the store a row belongs to that was read recently, where other processes write as well. */
class RecentRowsTest {
    private static final Object KIND = "kind";
    private static final UUID ID = new UUID(0, 1);
    private static final Moment ONE = Moment.FIRST.next(7);

    private final RecentRows rows = new RecentRows();
    private final AtomicInteger queries = new AtomicInteger();

    private record Row(Head head) implements Stored {}

    private Optional<Row> query() {
        queries.incrementAndGet();
        return Optional.of(new Row(new Head(ID, ID, Instant.EPOCH, 1)));
    }

    /** Reads the row where both the store and the transaction are at this moment; whether a query was needed. */
    private boolean needsQuery(Moment moment) {
        int before = queries.get();
        assertThat(rows.reading(() -> moment, () -> moment).byId(KIND, ID, this::query))
                .isPresent();
        return queries.get() > before;
    }

    private static Changes change(UUID id) {
        Changes changes = new Changes();
        changes.add(KIND, id);
        return changes;
    }

    @Test
    void aRowIsFoundWhileTheStoreIsAtTheMomentAtWhichItWasRead() {
        assertThat(needsQuery(ONE)).isTrue();
        assertThat(needsQuery(ONE)).isFalse();
        assertThat(needsQuery(ONE.next(8))).isTrue();
    }

    @Test
    void oneThatLooksLateFindsNothingOfALaterMoment() {
        needsQuery(ONE.next(8));
        assertThat(needsQuery(ONE)).isTrue();
        assertThat(needsQuery(ONE.next(8))).isFalse();
    }

    @Test
    void aCommitOfThisProcessForgetsOnlyWhatItChanged() {
        needsQuery(ONE);
        rows.commitBegins(change(new UUID(0, 2)), ONE.next(8));
        assertThat(needsQuery(ONE)).isFalse();
        assertThat(needsQuery(ONE.next(8))).isFalse();
        rows.commitEnded(true);
        assertThat(needsQuery(ONE.next(8))).isFalse();
        rows.commitBegins(change(ID), ONE.next(8).next(9));
        rows.commitEnded(true);
        assertThat(needsQuery(ONE.next(8).next(9))).isTrue();
    }

    @Test
    void aCommitThatFailedIsNotTakenForAnothersWithTheSameNumber() {
        needsQuery(ONE);
        rows.commitBegins(change(new UUID(0, 2)), ONE.next(8));
        assertThat(needsQuery(ONE.next(9))).isTrue();
        rows.commitEnded(false);
        assertThat(needsQuery(ONE.next(9))).isTrue();
        assertThat(needsQuery(ONE.next(9))).isFalse();
    }

    @Test
    void aRowThatWasFoundMustBeOneThatTheTransactionSees() {
        needsQuery(ONE);
        RecentView torn = rows.reading(() -> ONE, () -> ONE.next(8));
        torn.byId(KIND, ID, this::query);
        assertThat(torn.queried()).isFalse();
        RecentView whole = rows.reading(() -> ONE, () -> ONE);
        whole.byId(KIND, ID, this::query);
        assertThat(whole.queried()).isTrue();
    }

    @Test
    void whatATransactionSeesOfAnEarlierMomentIsNotKept() {
        RecentView late = rows.reading(() -> ONE, () -> Moment.FIRST);
        needsQuery(ONE);
        needsQuery(ONE.next(8));
        late.byId(KIND, new UUID(0, 3), this::query);
        assertThat(needsQuery(ONE.next(8))).isFalse();
        int before = queries.get();
        rows.reading(() -> ONE.next(8), () -> ONE.next(8)).byId(KIND, new UUID(0, 3), this::query);
        assertThat(queries).hasValue(before + 1);
    }
}
