package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.worker.kinesis.KinesisApi.Listing;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import io.pilothouse.pipes.worker.records.Seeks;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where shards begin that the ledger does not have: where they were sent by their names, or those that they came out
 * of, or where all begin. So one that was split while the pipe was stopped is read on in those that came out of it. For
 * one look at the stream.
 */
final class ShardBegins {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final String stream;
    private final Listing listing;
    private final Seeks seeks;
    private final String usual;
    private final FirstLook look;
    private final Map<String, Shard> listed = new HashMap<>();
    private final Map<String, ShardBegin> found = new HashMap<>();

    /** The moment that was noted under this name when it was first looked for, which may be now. */
    @FunctionalInterface
    interface FirstLook {
        long millis(String name) throws Yield, InterruptedException;
    }

    /** {@code usual} is the place that the source of the pipe names. */
    ShardBegins(String stream, Listing listing, Seeks seeks, String usual, FirstLook look) {
        this.stream = stream;
        this.listing = listing;
        this.seeks = seeks;
        this.usual = usual;
        this.look = look;
        listing.shards().forEach(shard -> listed.put(shard.id(), shard));
    }

    ShardBegin of(String shard) throws Yield, InterruptedException {
        ShardBegin known = found.get(shard);
        if (known == null) {
            known = find(shard);
            found.put(shard, known);
        }
        return known;
    }

    private ShardBegin find(String id) throws Yield, InterruptedException {
        String part = ShardStretch.part(stream, id);
        Optional<String> sent = seeks.placeOf(part);
        if (sent.isPresent()) {
            return at(sent.get(), part + ">" + seeks.count(part));
        }
        Shard shard = listed.get(id);
        if (shard == null || shard.parents().isEmpty()) {
            return at(seeks.place(usual), stream);
        }
        ShardBegin begin = of(shard.parents().getFirst()).inChild();
        for (String parent : shard.parents()) {
            begin = ShardBegin.earlier(begin, of(parent).inChild());
        }
        return begin;
    }

    /** Kinesis takes no moment that is yet to come: like the end, it is the moment of the first look. */
    private ShardBegin at(String place, String name) throws Yield, InterruptedException {
        if (place.equals(Seeks.BEGINNING)) {
            return new ShardBegin.Oldest();
        }
        if (NUMBER.matcher(place).matches()) {
            return new ShardBegin.At(place);
        }
        long millis =
                place.equals(Seeks.END) ? Long.MAX_VALUE : Instant.parse(place).toEpochMilli();
        return new ShardBegin.Moment(millis > listing.millis() ? look.millis(name) : millis);
    }
}
