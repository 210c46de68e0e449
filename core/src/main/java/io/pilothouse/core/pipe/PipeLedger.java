package io.pilothouse.core.pipe;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The book of what pipes have read. A range is written down before it is inserted and ticked off after, so that after a
 * crash the same range is read again and inserted under the same token, which the database knows. Each start of a
 * pipe's workers takes a new epoch, and a line under an older one is refused. Safe for many threads.
 */
public final class PipeLedger {
    /**
     * The part that says from where all parts begin that have not begun since, and that a part's own name may follow.
     * Its mark counts how often that was changed: what is read again after it is inserted under other tokens.
     */
    public static final String SEEK = "seek>";

    /**
     * The part that counts replays of what a pipe could not read: its mark those that are through, and its pending end
     * those that were asked for. Followed by a number it is the part of that replay.
     */
    public static final String REPLAY = "replay>";

    /** The part that says that something of the pipe is at its source, which goes with the pipe and not before. */
    public static final String FOOTPRINT = "footprint>";

    /** What that was called before: a topic may have the name too, and its mark is how many partitions it had. */
    private static final String EARLIER_FOOTPRINT = "footprint";

    private static final int PAGE = 500;

    private final Store store;
    private final Clock clock;

    public PipeLedger(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** A range of one part: from {@code from} up to but not including {@code to}. */
    public record Line(String part, long from, long to, String identity) {}

    /** Takes a new epoch; no worker that was started before it writes a line any more. */
    public long begin(UUID pipeId) {
        return store.write(tables -> {
            Table<PipeRange> ranges = tables.of(PipeRange.KIND);
            Optional<PipeRange> whole = find(tables, pipeId, PipeRange.WHOLE);
            if (whole.isEmpty()) {
                ranges.insert(PipeRange.first(pipeId, PipeRange.WHOLE, "", 0, 1, clock.now()));
                return 1L;
            }
            PipeRange row = whole.get();
            return ranges.overwrite(row.done(row.mark(), row.epoch() + 1)).epoch();
        });
    }

    /** Those of these parts that were begun. */
    public List<PipeRange> find(UUID pipeId, List<String> parts) {
        return store.read(tables -> parts.stream()
                .flatMap(part -> find(tables, pipeId, part).stream())
                .toList());
    }

    /** Notes where reading of a part begins, unless it was begun already; false under an old epoch. */
    public boolean begin(UUID pipeId, long epoch, String part, long mark) {
        return store.write(tables -> {
            if (!isCurrent(tables, pipeId, epoch)) {
                return false;
            }
            if (find(tables, pipeId, part).isEmpty()) {
                tables.of(PipeRange.KIND).insert(PipeRange.first(pipeId, part, "", mark, epoch, clock.now()));
            }
            return true;
        });
    }

    /**
     * Notes that these ranges are about to be inserted. All or none: false under an old epoch, or where one does not
     * follow what is done, or another range of its part is pending.
     */
    public boolean claim(UUID pipeId, long epoch, List<Line> lines) {
        return store.write(tables -> isCurrent(tables, pipeId, epoch)
                && lines.stream().allMatch(line -> follows(tables, pipeId, line))
                && claimAll(tables, pipeId, epoch, lines));
    }

    private boolean claimAll(Tables tables, UUID pipeId, long epoch, List<Line> lines) {
        Table<PipeRange> ranges = tables.of(PipeRange.KIND);
        for (Line line : lines) {
            PipeRange row = find(tables, pipeId, line.part())
                    .orElseGet(() -> ranges.insert(
                            PipeRange.first(pipeId, line.part(), line.identity(), line.from(), epoch, clock.now())));
            ranges.overwrite(row.pending(line.to(), line.identity(), epoch));
        }
        return true;
    }

    /** Ticks off ranges that were claimed; false under an old epoch, or where one is no longer pending. */
    public boolean done(UUID pipeId, long epoch, List<Line> lines) {
        return store.write(tables -> {
            Table<PipeRange> ranges = tables.of(PipeRange.KIND);
            List<PipeRange> rows = lines.stream()
                    .flatMap(line -> find(tables, pipeId, line.part()).filter(row -> isPending(row, line)).stream())
                    .toList();
            if (!isCurrent(tables, pipeId, epoch) || rows.size() < lines.size()) {
                return false;
            }
            for (int i = 0; i < rows.size(); i++) {
                ranges.overwrite(rows.get(i).done(lines.get(i).to(), epoch));
            }
            return true;
        });
    }

    /** Everything that was noted about a pipe. */
    public static List<PipeRange> all(Tables tables, UUID pipeId) {
        List<PipeRange> all = new ArrayList<>();
        List<PipeRange> page = tables.of(PipeRange.KIND).page(pipeId, null, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = tables.of(PipeRange.KIND).page(pipeId, Table.Cursor.of(page.getLast()), PAGE);
        }
        return all;
    }

    /**
     * Has these parts, or all of them for an empty list, begin at {@code mark} or, without one, where {@code place}
     * says. Takes a new epoch too: no worker that was started before it writes a line any more.
     */
    public static void seek(
            Tables tables, UUID pipeId, List<String> parts, @Nullable Long mark, String place, Instant now) {
        Table<PipeRange> ranges = tables.of(PipeRange.KIND);
        if (parts.isEmpty()) {
            all(tables, pipeId).stream()
                    .filter(row -> !row.part().equals(PipeRange.WHOLE)
                            && !row.part().equals(SEEK)
                            && !isFootprint(row)
                            && !row.part().startsWith(REPLAY))
                    .forEach(row -> ranges.delete(row.id(), row.version()));
            countSeek(tables, pipeId, SEEK, place, now);
        }
        for (String part : parts) {
            find(tables, pipeId, part).ifPresent(row -> ranges.delete(row.id(), row.version()));
            countSeek(tables, pipeId, SEEK + part, place, now);
            if (mark != null) {
                ranges.insert(PipeRange.first(pipeId, part, "", mark, 0, now));
            }
        }
        find(tables, pipeId, PipeRange.WHOLE).ifPresent(row -> ranges.overwrite(row.done(row.mark(), row.epoch() + 1)));
    }

    /** Whether something of the pipe may be at its source, to be taken away with the pipe. */
    public boolean hasFootprint(UUID pipeId) {
        return find(pipeId, List.of(FOOTPRINT, EARLIER_FOOTPRINT)).stream().anyMatch(PipeLedger::isFootprint);
    }

    private static boolean isFootprint(PipeRange row) {
        return row.part().equals(FOOTPRINT) || (row.part().equals(EARLIER_FOOTPRINT) && row.mark() == 0);
    }

    private static void countSeek(Tables tables, UUID pipeId, String part, String place, Instant now) {
        Table<PipeRange> ranges = tables.of(PipeRange.KIND);
        PipeRange row =
                find(tables, pipeId, part).orElseGet(() -> ranges.insert(PipeRange.first(pipeId, part, "", 0, 0, now)));
        ranges.overwrite(row.sought(place));
    }

    /** The number of the replay that was asked for last, and of the last that is through; 0 for none. */
    public record Replays(long replay, long done) {}

    static Replays replays(Tables tables, UUID pipeId) {
        return find(tables, pipeId, REPLAY)
                .map(row -> {
                    Long asked = row.pendingTo();
                    return new Replays(asked == null ? row.mark() : asked, row.mark());
                })
                .orElse(new Replays(0, 0));
    }

    /** Asks for a replay of what is kept now, and returns its number; one that has not begun will do. */
    public static long askReplay(Tables tables, UUID pipeId, Instant now) {
        Table<PipeRange> ranges = tables.of(PipeRange.KIND);
        PipeRange row = find(tables, pipeId, REPLAY)
                .orElseGet(() -> ranges.insert(PipeRange.first(pipeId, REPLAY, "", 0, 0, now)));
        Long asked = row.pendingTo();
        if (asked != null && find(tables, pipeId, REPLAY + asked).isEmpty()) {
            return asked;
        }
        long number = (asked == null ? row.mark() : asked) + 1;
        ranges.overwrite(row.pending(number, "", row.epoch()));
        return number;
    }

    /** Notes that a replay is through; false under an old epoch, or where that was noted before. */
    public boolean endReplay(UUID pipeId, long epoch, long number) {
        return store.write(tables -> {
            Table<PipeRange> ranges = tables.of(PipeRange.KIND);
            Optional<PipeRange> row = find(tables, pipeId, REPLAY).filter(replays -> replays.mark() < number);
            if (row.isEmpty() || !isCurrent(tables, pipeId, epoch)) {
                return false;
            }
            Long asked = row.get().pendingTo();
            PipeRange done = row.get().done(number, epoch);
            ranges.overwrite(asked != null && asked > number ? done.pending(asked, "", epoch) : done);
            find(tables, pipeId, REPLAY + number).ifPresent(part -> ranges.delete(part.id(), part.version()));
            return true;
        });
    }

    /** Forgets everything about a pipe, some rows at a time. */
    public void forget(UUID pipeId) {
        boolean more = true;
        while (more) {
            more = store.write(tables -> {
                List<PipeRange> rows = tables.of(PipeRange.KIND).page(pipeId, null, PAGE);
                rows.forEach(row -> tables.of(PipeRange.KIND).delete(row.id(), row.version()));
                return rows.size() == PAGE;
            });
        }
    }

    private static boolean follows(Tables tables, UUID pipeId, Line line) {
        return find(tables, pipeId, line.part())
                .map(row -> row.mark() == line.from() && (row.pendingTo() == null || row.pendingTo() == line.to()))
                .orElse(true);
    }

    private static boolean isPending(PipeRange row, Line line) {
        return row.mark() == line.from() && row.pendingTo() != null && row.pendingTo() == line.to();
    }

    private static boolean isCurrent(Tables tables, UUID pipeId, long epoch) {
        return find(tables, pipeId, PipeRange.WHOLE)
                .filter(row -> row.epoch() == epoch)
                .isPresent();
    }

    private static Optional<PipeRange> find(Tables tables, UUID pipeId, String part) {
        return tables.of(PipeRange.KIND).find(PipeRange.id(pipeId, part));
    }
}
