package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Begin;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Listing;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which shards a worker reads, and from where. The ledger decides; a shard that it does not have is read from where the
 * pipe begins, and one that came out of others only when those were read to their end.
 */
final class KinesisShards {
    private final Link link;
    private final Assignment assignment;
    private final KinesisApi api;
    /** Those that were closed and are in the table as a whole. */
    private final Set<String> over = new HashSet<>();

    private @Nullable Begin begin;
    private boolean waiting;

    KinesisShards(Link link, Assignment assignment, KinesisApi api) {
        this.link = link;
        this.assignment = assignment;
        this.api = api;
    }

    /** Whether shards of this worker wait for others to be read to their end. */
    boolean isWaiting() {
        return waiting;
    }

    /** The shards of this worker that can be read and are not among the known ones. */
    List<ShardReader> find(Set<String> known) throws Trouble, InterruptedException {
        Listing listing = api.shards();
        Begin from = begin(listing);
        Map<String, Span> ledger = ledger(listing);
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
                found.add(new ShardReader(api, from, new ShardStretch(part, shard, ledger.get(part))));
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

    /** How far each was read; also by other workers, because shards wait for each other. */
    private Map<String, Span> ledger(Listing listing) throws Yield, InterruptedException {
        Map<String, String> parts = new HashMap<>();
        for (Shard shard : listing.shards()) {
            if (!over.contains(shard.id())) {
                parts.put(ShardStretch.part(api.stream(), shard.id()), shard.id());
            }
        }
        Map<String, Span> ledger = ranges(List.copyOf(parts.keySet()));
        ledger.forEach((part, span) -> {
            if (!span.isPending() && ShardPlace.of(span.identity()).last().equals(ShardPlace.END)) {
                over.add(parts.get(part));
            }
        });
        return ledger;
    }

    private Map<String, Span> ranges(List<String> parts) throws Yield, InterruptedException {
        return link.ranges(parts).orElseThrow(() -> new Yield("The pipe is being changed."));
    }

    /** Where the pipe begins. What was the newest is a moment: the shards that come later begin there too. */
    private Begin begin(Listing listing) throws Yield, InterruptedException {
        Begin known = begin;
        if (known == null) {
            Tree.Members source = assignment.source();
            known = switch (source.text("iteratorType").orElse("LATEST")) {
                case "TRIM_HORIZON" -> Begin.OLDEST;
                case "AT_TIMESTAMP" -> new Begin(millis(source));
                default -> firstLook(listing);
            };
            begin = known;
        }
        return known;
    }

    private static long millis(Tree.Members source) {
        return source.number("timestamp")
                .map(seconds -> seconds.longValue() * 1000)
                .orElseGet(() -> source.text("timestamp")
                        .map(minute -> LocalDateTime.parse(minute)
                                .toInstant(ZoneOffset.UTC)
                                .toEpochMilli())
                        .orElse(0L));
    }

    private Begin firstLook(Listing listing) throws Yield, InterruptedException {
        long now = listing.millis();
        if (link.ask(About.BEGIN, Span.tree(List.of(new Span(api.stream(), now, now, ""))))
                .refusal()
                .isPresent()) {
            throw new Yield("Another worker reads this pipe.");
        }
        Span looked = ranges(List.of(api.stream())).get(api.stream());
        return new Begin(looked == null ? now : looked.from());
    }
}
