package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Errand;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.records.BatchLimits;
import io.pilothouse.pipes.worker.records.RecordLoad;
import io.pilothouse.pipes.worker.records.StreamTries;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Reads a stream of Kinesis until the worker is to drain. Each worker of a pipe has its share of the shards, and the
 * ledger says where each goes on.
 */
public final class KinesisSource implements Source {
    private static final long LOOK_MILLIS = 10_000;
    private static final long LOOK_FOR_CHILDREN_MILLIS = 500;
    private static final long MAX_PAUSE_MILLIS = 500;
    /** An answer may have ten megabytes. */
    private static final int FETCHES_AT_ONCE = 4;

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final ExecutorService threads;
    private final Clock clock;
    private final Map<String, ShardReader> readers = new LinkedHashMap<>();
    /** Whether the last batch is not in the database yet: that Kinesis answers is not enough then. */
    private boolean stuck;

    public KinesisSource(
            Link link, Assignment assignment, Destination destination, ExecutorService threads, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.threads = threads;
        this.clock = clock;
    }

    @Override
    public void run() throws InterruptedException {
        if (assignment.errand() == Errand.MOVE) {
            new StreamTries(link).run(this::read);
        } else {
            leave();
        }
    }

    /** Once: who sent it comes back. */
    private void leave() {
        try {
            FanOut.leave(assignment, new KinesisApi(link, assignment, clock));
            link.report(Condition.COMPLETED, "", 0);
        } catch (Trouble trouble) {
            link.report(Condition.FAILED, trouble.sentence(), -1);
        }
    }

    private void read(BackOff backOff) throws Trouble, InterruptedException {
        KinesisApi api = new KinesisApi(link, assignment, clock);
        try (ShardFeed.Feeds feeds = feeds(api)) {
            read(new KinesisShards(link, assignment, api, feeds), backOff);
        } finally {
            readers.values().forEach(ShardReader::close);
            readers.clear();
        }
    }

    private ShardFeed.Feeds feeds(KinesisApi api) throws Trouble, InterruptedException {
        return assignment.source().flag("useEnhancedFanOut")
                ? FanOut.register(link, assignment, api, threads)
                : shard -> new PolledShard(api, shard);
    }

    private void read(KinesisShards shards, BackOff backOff) throws Trouble, InterruptedException {
        BatchLimits limits = new BatchLimits(assignment);
        RecordLoad load = new RecordLoad(link, assignment, destination);
        long next = System.nanoTime();
        while (!link.isDraining()) {
            load.replay();
            if (System.nanoTime() - next >= 0) {
                shards.find(readers.keySet())
                        .forEach(reader -> readers.put(reader.stretch().shard().id(), reader));
                next = System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(shards.isWaiting() ? LOOK_FOR_CHILDREN_MILLIS : LOOK_MILLIS);
                if (!stuck) {
                    report(load);
                }
            }
            fetch(limits);
            List<ShardReader> due = due(limits);
            if (due.isEmpty()) {
                link.pause(pause(limits));
            } else {
                stuck = true;
                load.load(due.stream().map(ShardReader::stretch).toList());
                stuck = false;
                due.forEach(reader -> link.count(new Amounts(0, reader.received(), 0, 0, 0, 0), -1));
                due.forEach(ShardReader::done);
                due.stream().filter(reader -> reader.stretch().isOver()).forEach(ShardReader::close);
                if (readers.values().removeIf(reader -> reader.stretch().isOver())) {
                    // What came out of it can be read now.
                    next = System.nanoTime();
                }
                backOff.reset();
                report(load);
            }
        }
    }

    /** Asks for what may be asked for, some shards at once, until there is enough to insert. */
    private void fetch(BatchLimits limits) throws Trouble, InterruptedException {
        List<ShardReader> ready = new ArrayList<>();
        for (ShardReader reader : readers.values()) {
            if (reader.left() == 0) {
                ready.add(reader);
            }
        }
        for (int from = 0; from < ready.size() && !limits.areReached(stretches()); from += FETCHES_AT_ONCE) {
            List<Future<?>> fetches = new ArrayList<>();
            for (ShardReader reader : ready.subList(from, Math.min(ready.size(), from + FETCHES_AT_ONCE))) {
                fetches.add(threads.submit(() -> {
                    reader.fetch();
                    return true;
                }));
            }
            await(fetches);
        }
    }

    private static void await(List<Future<?>> fetches) throws Trouble, InterruptedException {
        Trouble trouble = null;
        for (Future<?> fetch : fetches) {
            try {
                fetch.get();
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof Trouble reason)) {
                    throw new IllegalStateException(failed.getCause());
                }
                trouble = reason;
            }
        }
        if (trouble != null) {
            throw trouble;
        }
    }

    private List<ShardStretch> stretches() {
        return readers.values().stream().map(ShardReader::stretch).toList();
    }

    private List<ShardReader> due(BatchLimits limits) {
        List<ShardStretch> due =
                limits.due(stretches(), stretch -> reader(stretch).isRead());
        return due.stream().map(this::reader).toList();
    }

    private ShardReader reader(ShardStretch stretch) {
        ShardReader reader = readers.get(stretch.shard().id());
        if (reader == null) {
            throw new IllegalStateException("a shard that is not read");
        }
        return reader;
    }

    private long pause(BatchLimits limits) {
        long fetch =
                readers.values().stream().mapToLong(ShardReader::left).min().orElse(MAX_PAUSE_MILLIS);
        return Math.clamp(Math.min(fetch, limits.left(stretches(), MAX_PAUSE_MILLIS)), 1, MAX_PAUSE_MILLIS);
    }

    /** Kinesis does not count what is left, and says only how old it is: a shard that is behind has one record at least. */
    private void report(RecordLoad load) {
        long lag = 0;
        long behind = 0;
        Map<String, Long> lags = new HashMap<>();
        for (ShardReader reader : readers.values()) {
            if (reader.millisBehind() >= 0) {
                lags.put(reader.stretch().part(), reader.millisBehind());
            }
            behind = Math.max(behind, reader.millisBehind());
            lag += reader.stretch().records().size() + (reader.millisBehind() == 0 ? 0 : 1);
        }
        if (behind > 0) {
            link.count(Amounts.NONE, behind);
        }
        link.lags(lags);
        link.report(Condition.RUNNING, sentence(load), lag);
    }

    private String sentence(RecordLoad load) {
        if (!load.wrong().isEmpty()) {
            return load.wrong();
        }
        if (readers.values().stream().anyMatch(ShardReader::isThrottled)) {
            return "Kinesis allows no more requests for now: others read the stream too, or the pipe is behind.";
        }
        return "";
    }
}
