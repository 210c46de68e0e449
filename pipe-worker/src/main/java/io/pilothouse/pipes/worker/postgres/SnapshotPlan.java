package io.pilothouse.pipes.worker.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * How the pages of a table are cut into ranges, each of which is one insert. It is written in the ledger before the
 * first range is read, so that a worker that goes on cuts in the same places; pure.
 */
record SnapshotPlan(long storage, long pagesOfARange, int ranges) {
    /** A range must fit into the memory of the database: 64 MB of pages at most. */
    private static final long MAX_PAGES = 8192;
    /** For a table that was never counted. */
    private static final double USUAL_ROWS_OF_A_PAGE = 100;

    static SnapshotPlan of(SourceTable.Leaf leaf, long rowsOfARange) {
        double rowsOfAPage = leaf.rows() > 0 ? leaf.rows() : USUAL_ROWS_OF_A_PAGE;
        long pages = Math.clamp(Math.round(rowsOfARange / rowsOfAPage), 1, MAX_PAGES);
        return new SnapshotPlan(leaf.storage(), pages, (int) Math.max(1, Math.ceilDiv(leaf.pages(), pages)));
    }

    static SnapshotPlan of(String identity) {
        String[] parts = identity.split("/", -1);
        return new SnapshotPlan(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }

    String identity() {
        return storage + "/" + pagesOfARange + "/" + ranges;
    }

    /** The rows of one range; the last has no end, for what is written meanwhile. */
    String condition(int range) {
        String from = "ctid >= '(" + range * pagesOfARange + ",0)'";
        return range == ranges - 1 ? from : from + " AND ctid < '(" + (range + 1) * pagesOfARange + ",0)'";
    }

    /** The names of its ranges in the ledger. */
    List<String> parts(String part) {
        List<String> parts = new ArrayList<>();
        for (int range = 0; range < ranges; range++) {
            parts.add(part + "#" + range);
        }
        return parts;
    }
}
