package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.postgres.SourceTable.Leaf;
import org.junit.jupiter.api.Test;

/** How a table is cut into ranges. */
class SnapshotPlanTest {
    @Test
    void rangesCoverEveryPageOnceAndTheLastHasNoEnd() {
        SnapshotPlan plan = SnapshotPlan.of(new Leaf("public", "t", 7, 250, 100), 10_000);
        assertThat(plan).isEqualTo(new SnapshotPlan(7, 100, 3));
        assertThat(plan.condition(0)).isEqualTo("ctid >= '(0,0)' AND ctid < '(100,0)'");
        assertThat(plan.condition(1)).isEqualTo("ctid >= '(100,0)' AND ctid < '(200,0)'");
        assertThat(plan.condition(2)).isEqualTo("ctid >= '(200,0)'");
    }

    @Test
    void workerThatGoesOnCutsInTheSamePlaces() {
        SnapshotPlan plan = SnapshotPlan.of(new Leaf("public", "t", 7, 250, 100), 10_000);
        assertThat(SnapshotPlan.of(plan.identity())).isEqualTo(plan);
        assertThat(plan.parts("t")).containsExactly("t#0", "t#1", "t#2");
    }

    @Test
    void emptyTableAndOneThatWasNeverCountedHaveARange() {
        assertThat(SnapshotPlan.of(new Leaf("public", "t", 7, 0, 0), 10_000).ranges())
                .isEqualTo(1);
        assertThat(SnapshotPlan.of(new Leaf("public", "t", 7, 1000, -1), 10_000).pagesOfARange())
                .isEqualTo(100);
    }

    @Test
    void rangeOfWideRowsIsNoLargerThanTheDatabaseCanHold() {
        assertThat(SnapshotPlan.of(new Leaf("public", "t", 7, 1_000_000, 1), 10_000_000)
                        .pagesOfARange())
                .isEqualTo(8192);
    }
}
