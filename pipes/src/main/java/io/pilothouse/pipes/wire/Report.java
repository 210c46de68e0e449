package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a worker is: a condition, a sentence for a person (empty if all is well), and what it has done since its last
 * report. {@code lag} is how many records of the source it has yet to read, {@code lags} the same
 * for each part where it is known, and {@code keptBytes} how much the source keeps for the pipe alone; -1 where that is
 * not known. {@code tallies} and {@code events} are counted only by workers that can.
 */
public record Report(
        Condition condition,
        String sentence,
        Amounts amounts,
        Map<Tally, Long> tallies,
        Map<TableEvent, Long> events,
        Map<String, Long> lags,
        long lag,
        long latencyMillis,
        long keptBytes) {
    public Report {
        tallies = Map.copyOf(tallies);
        events = Map.copyOf(events);
        lags = Map.copyOf(lags);
    }

    /** What only some workers can count, since the last report. */
    public enum Tally {
        FETCHED_BYTES,
        FETCHED_BYTES_INITIAL,
        FETCHED_BYTES_RESYNC,
        SENT_BYTES_COMPRESSED
    }

    /** A sort of change of one table. */
    public record TableEvent(String table, String event) {}

    /** The conditions of a worker. */
    public enum Condition {
        /** It has begun and not yet reached its source. */
        STARTING,
        /** It takes the first look at its source, and makes what it needs there. */
        SETUP,
        /** It reads what is there already. */
        SNAPSHOT,
        RUNNING,
        /** It goes on, and the source keeps much for it. */
        BEHIND,
        /** The source does not answer; it tries again. */
        WITHOUT_SOURCE,
        /** The database does not take rows; it tries again. */
        WITHOUT_DESTINATION,
        /** Everything there was is in the table. */
        COMPLETED,
        /** It cannot go on until its owner changes something. */
        FAILED
    }

    /** Amounts since the last report. */
    public record Amounts(long fetchedRows, long fetchedBytes, long sentRows, long sentBytes, long errors, long files) {
        public static final Amounts NONE = new Amounts(0, 0, 0, 0, 0, 0);

        public Amounts plus(Amounts more) {
            return new Amounts(
                    fetchedRows + more.fetchedRows,
                    fetchedBytes + more.fetchedBytes,
                    sentRows + more.sentRows,
                    sentBytes + more.sentBytes,
                    errors + more.errors,
                    files + more.files);
        }
    }

    public Tree.Members tree() {
        Map<String, Tree> members = new LinkedHashMap<>();
        members.put(Words.SORT, new Tree.Text(Words.REPORT));
        members.put("condition", new Tree.Text(condition.name()));
        members.put("sentence", new Tree.Text(sentence));
        members.put("fetchedRows", new Tree.Figure(amounts.fetchedRows()));
        members.put("fetchedBytes", new Tree.Figure(amounts.fetchedBytes()));
        members.put("sentRows", new Tree.Figure(amounts.sentRows()));
        members.put("sentBytes", new Tree.Figure(amounts.sentBytes()));
        members.put("errors", new Tree.Figure(amounts.errors()));
        members.put("files", new Tree.Figure(amounts.files()));
        tallies.forEach((tally, count) -> members.put(tally.name(), new Tree.Figure(count)));
        List<Tree> changes = new ArrayList<>();
        events.forEach((of, count) -> changes.add(new Tree.Members(Map.of(
                "table", new Tree.Text(of.table()),
                "event", new Tree.Text(of.event()),
                "count", new Tree.Figure(count)))));
        members.put("events", new Tree.Items(changes));
        members.put(
                "lags",
                new Tree.Items(lags.entrySet().stream()
                        .<Tree>map(lag -> new Tree.Members(Map.of(
                                "part", new Tree.Text(lag.getKey()),
                                "records", new Tree.Figure(lag.getValue()))))
                        .toList()));
        members.put("lag", new Tree.Figure(lag));
        members.put("latencyMillis", new Tree.Figure(latencyMillis));
        members.put("keptBytes", new Tree.Figure(keptBytes));
        return new Tree.Members(members);
    }

    public static Report of(Tree.Members message) {
        Map<Tally, Long> tallies = new EnumMap<>(Tally.class);
        for (Tally tally : Tally.values()) {
            message.number(tally.name()).ifPresent(count -> tallies.put(tally, count.longValue()));
        }
        Map<TableEvent, Long> events = new LinkedHashMap<>();
        for (Tree.Members change : message.objects("events")) {
            events.put(
                    new TableEvent(
                            change.text("table").orElse(""),
                            change.text("event").orElse("")),
                    count(change, "count"));
        }
        Map<String, Long> lags = new LinkedHashMap<>();
        for (Tree.Members lag : message.objects("lags")) {
            lags.put(lag.text("part").orElse(""), count(lag, "records"));
        }
        return new Report(
                Condition.valueOf(message.text("condition").orElseThrow()),
                message.text("sentence").orElse(""),
                new Amounts(
                        count(message, "fetchedRows"),
                        count(message, "fetchedBytes"),
                        count(message, "sentRows"),
                        count(message, "sentBytes"),
                        count(message, "errors"),
                        count(message, "files")),
                tallies,
                events,
                lags,
                count(message, "lag"),
                count(message, "latencyMillis"),
                count(message, "keptBytes"));
    }

    private static long count(Tree.Members message, String name) {
        return message.number(name).orElse(0.0).longValue();
    }
}
