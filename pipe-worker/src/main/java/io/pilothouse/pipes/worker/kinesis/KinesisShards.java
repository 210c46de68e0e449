package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Listing;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import io.pilothouse.pipes.worker.records.Seeks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which shards a worker reads, and from where. The ledger decides, and where it does not have a shard {@link
 * ShardBegins} does; one that came out of others is read only when those were read to their end.
 */
final class KinesisShards {
    private final Link link;
    private final Assignment assignment;
    private final KinesisApi api;
    private final ShardFeed.Feeds feeds;
    /** Those that were closed and are in the table as a whole. */
    private final Set<String> over = new HashSet<>();

    private boolean waiting;

    KinesisShards(Link link, Assignment assignment, KinesisApi api, ShardFeed.Feeds feeds) {
        this.link = link;
        this.assignment = assignment;
        this.api = api;
        this.feeds = feeds;
    }

    /** Whether shards of this worker wait for others to be read to their end. */
    boolean isWaiting() {
        return waiting;
    }

    /** The shards of this worker that can be read and are not among the known ones. */
    List<ShardReader> find(Set<String> known) throws Trouble, InterruptedException {
        Listing listing = api.shards();
        Map<String, Span> ledger = ledger(listing);
        Seeks seeks = new Seeks(ledger);
        ShardBegins begins =
                new ShardBegins(api.stream(), listing, seeks, usual(), name -> firstLook(name, listing.millis()));
        Set<String> listed = new HashSet<>();
        listing.shards().forEach(shard -> listed.add(shard.id()));
        over.retainAll(listed);
        List<ShardReader> found = new ArrayList<>();
        waiting = false;
        for (Shard shard : listing.shards()) {
            if (!isMine(shard) || known.contains(shard.id()) || over.contains(shard.id())) {
                continue;
            }
            // A parent that is not listed any more has nothing left to read.
            if (shard.parents().stream().allMatch(parent -> !listed.contains(parent) || over.contains(parent))) {
                String part = ShardStretch.part(api.stream(), shard.id());
                ShardStretch stretch = new ShardStretch(part, shard, ledger.get(part), seeks.count(part));
                found.add(new ShardReader(feeds.of(shard.id()), begins.of(shard.id()), stretch));
            } else {
                waiting = true;
            }
        }
        return found;
    }

    private boolean isMine(Shard shard) {
        Assignment.Share share = assignment.share();
        return Math.floorMod(shard.id().hashCode(), share.workers()) == share.index();
    }

    /** How far each was read; also by other workers, because shards wait for each other. And where they were sent. */
    private Map<String, Span> ledger(Listing listing) throws Yield, InterruptedException {
        Map<String, String> shards = new HashMap<>();
        Set<String> lines = new HashSet<>(Set.of(Span.SEEK));
        for (Shard shard : listing.shards()) {
            if (!over.contains(shard.id())) {
                shards.put(ShardStretch.part(api.stream(), shard.id()), shard.id());
            }
            lines.add(Seeks.line(ShardStretch.part(api.stream(), shard.id())));
            shard.parents().forEach(parent -> lines.add(Seeks.line(ShardStretch.part(api.stream(), parent))));
        }
        lines.addAll(shards.keySet());
        Map<String, Span> ledger = ranges(List.copyOf(lines));
        shards.forEach((part, shard) -> {
            Span span = ledger.get(part);
            if (span != null
                    && !span.isPending()
                    && ShardPlace.of(span.identity()).last().equals(ShardPlace.END)) {
                over.add(shard);
            }
        });
        return ledger;
    }

    private Map<String, Span> ranges(List<String> parts) throws Yield, InterruptedException {
        return link.ranges(parts).orElseThrow(() -> new Yield("The pipe is being changed."));
    }

    /** Where the pipe begins by its own choice. */
    private String usual() {
        Tree.Members source = assignment.source();
        return switch (source.text("iteratorType").orElse("LATEST")) {
            case "TRIM_HORIZON" -> Seeks.BEGINNING;
            case "AT_TIMESTAMP" -> moment(source);
            default -> Seeks.END;
        };
    }

    private static String moment(Tree.Members source) {
        return source.number("timestamp")
                .map(seconds -> Instant.ofEpochSecond(seconds.longValue()).toString())
                .or(() -> source.text("timestamp").map(Seeks::minute))
                .orElse(Seeks.BEGINNING);
    }

    /** What was the end is a moment that is noted: what begins there later, after a crash too, begins at the same. */
    private long firstLook(String name, long now) throws Yield, InterruptedException {
        if (link.ask(About.BEGIN, Span.tree(List.of(new Span(name, now, now, ""))))
                .refusal()
                .isPresent()) {
            throw new Yield("Another worker reads this pipe.");
        }
        Span looked = ranges(List.of(name)).get(name);
        return looked == null ? now : looked.from();
    }
}
