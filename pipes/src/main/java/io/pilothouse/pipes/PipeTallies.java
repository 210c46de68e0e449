package io.pilothouse.pipes;

import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures.TableEvents;
import io.pilothouse.core.port.Clock;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.TableEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what the workers of a pipe count, and remembers the last minutes of it. Not for several threads at once. */
final class PipeTallies {
    /** Over which time the share of errors is counted. */
    static final Duration RECENT = Duration.ofMinutes(5);

    private static final Duration STEP = Duration.ofSeconds(10);
    private static final int HUNDRED = 100;

    private final Clock clock;
    private final Map<PipeFigure, Long> sums = new EnumMap<>(PipeFigure.class);
    private final Map<String, TableEvents> events = new TreeMap<>();
    private final Deque<Step> recent = new ArrayDeque<>();

    /** What was counted in a few seconds. */
    private record Step(Instant begun, long fetched, long errors) {}

    PipeTallies(Clock clock) {
        this.clock = clock;
    }

    void add(Report report) {
        Amounts amounts = report.amounts();
        add(PipeFigure.FETCHED_EVENTS, amounts.fetchedRows());
        add(PipeFigure.FETCHED_BYTES_COMPRESSED, amounts.fetchedBytes());
        add(PipeFigure.SENT_EVENTS, amounts.sentRows());
        add(PipeFigure.SENT_BYTES, amounts.sentBytes());
        add(PipeFigure.ERRORS, amounts.errors());
        add(PipeFigure.FILES, amounts.files());
        // Both name the figure of the same name.
        report.tallies().forEach((tally, count) -> add(PipeFigure.valueOf(tally.name()), count));
        report.events().forEach(this::add);
        remember(amounts);
    }

    private void add(PipeFigure figure, long more) {
        sums.merge(figure, more, Long::sum);
    }

    private void add(TableEvent of, long more) {
        events.merge(
                of.table() + '\n' + of.event(),
                new TableEvents(of.table(), of.event(), more),
                (before, after) -> new TableEvents(of.table(), of.event(), before.count() + after.count()));
    }

    private void remember(Amounts amounts) {
        Instant now = clock.now();
        forget(now);
        Step last = recent.peekLast();
        if (last == null || Duration.between(last.begun(), now).compareTo(STEP) >= 0) {
            recent.addLast(new Step(now, amounts.fetchedRows(), amounts.errors()));
        } else {
            recent.removeLast();
            recent.addLast(
                    new Step(last.begun(), last.fetched() + amounts.fetchedRows(), last.errors() + amounts.errors()));
        }
    }

    private void forget(Instant now) {
        while (!recent.isEmpty()
                && Duration.between(recent.getFirst().begun(), now).compareTo(RECENT) > 0) {
            recent.removeFirst();
        }
    }

    /** Of a hundred records of the last minutes, how many could not be read; rounded up, so that one shows. */
    private long errorPercent() {
        forget(clock.now());
        long errors = recent.stream().mapToLong(Step::errors).sum();
        long fetched = Math.max(errors, recent.stream().mapToLong(Step::fetched).sum());
        return errors == 0 ? 0 : Math.ceilDiv(errors * HUNDRED, fetched);
    }

    Map<PipeFigure, Long> values() {
        Map<PipeFigure, Long> values = new EnumMap<>(sums);
        values.put(PipeFigure.ERROR_PERCENT, errorPercent());
        return values;
    }

    List<TableEvents> tables() {
        return List.copyOf(events.values());
    }
}
