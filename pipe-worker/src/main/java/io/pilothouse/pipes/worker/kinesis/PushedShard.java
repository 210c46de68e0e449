package io.pilothouse.pipes.worker.kinesis;

import com.fasterxml.jackson.core.JacksonException;
import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.aws.EventFrames;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Page;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A shard whose records Kinesis sends by itself. Kinesis ends a subscription after five minutes, and another one goes on
 * where that was. What is not taken yet holds up the sender: no more than two events of a shard are in memory, and no
 * more of all shards than there is room for.
 */
final class PushedShard implements ShardFeed {
    private static final Pace PACE = new Pace(0, 0, 100);
    /** Kinesis refuses a second subscription before, and has the later one take the place of the earlier after. */
    private static final long BETWEEN = TimeUnit.SECONDS.toNanos(5);
    /** It sends an event every few seconds, if only to say that there is nothing. */
    private static final long SILENCE = TimeUnit.SECONDS.toNanos(60);

    private static final int MAX_TRIES = 6;
    private static final String IN_USE = "ResourceInUseException";

    private final Opening opening;
    private final String shard;
    private final ExecutorService threads;
    private final EventRoom room;
    private final long silence;
    private @Nullable Subscription subscription;
    private @Nullable String readOn;
    private long notBefore = System.nanoTime();
    private long heardAt;
    private int tries;

    /** Subscribes to a shard from a place. */
    @FunctionalInterface
    interface Opening {
        EventFrames from(String shard, Map<String, ?> place) throws AwsRefusal, Trouble, InterruptedException;
    }

    /** What one subscription brought. */
    private sealed interface Brought {
        record Records(Page page, int bytes) implements Brought {}

        record Ended() implements Brought {}

        /** It broke off, or what came cannot be read. */
        record Cut(String reason) implements Brought {}

        record Refused(AwsRefusal refusal) implements Brought {}

        record Failed(Trouble trouble) implements Brought {}
    }

    private record Subscription(BlockingQueue<Brought> brought, EventRoom.Share share, Future<?> listening) {}

    PushedShard(Opening opening, String shard, ExecutorService threads, EventRoom room) {
        this(opening, shard, threads, room, SILENCE);
    }

    /** {@code silence} is how many nanoseconds without an event are too many. */
    PushedShard(Opening opening, String shard, ExecutorService threads, EventRoom room, long silence) {
        this.silence = silence;
        this.opening = opening;
        this.shard = shard;
        this.threads = threads;
        this.room = room;
    }

    @Override
    public Pace pace() {
        return PACE;
    }

    @Override
    public Optional<Page> next(String after, ShardBegin begin) throws AwsRefusal, Trouble {
        Subscription now = subscription;
        if (now == null) {
            if (System.nanoTime() - notBefore >= 0) {
                subscription = subscribed(place(after, begin));
            }
            return Optional.empty();
        }
        Brought brought = now.brought().poll();
        if (brought == null) {
            if (now.share().isWaiting()) {
                // It is not Kinesis that is silent.
                heardAt = System.nanoTime();
            }
            if (System.nanoTime() - heardAt > silence) {
                return cut("nothing came for a minute");
            }
            return Optional.empty();
        }
        heardAt = System.nanoTime();
        return switch (brought) {
            case Brought.Records(Page page, int bytes) -> {
                now.share().give(bytes);
                tries = 0;
                readOn = page.next();
                yield Optional.of(page);
            }
            case Brought.Ended _ -> {
                drop();
                yield Optional.empty();
            }
            case Brought.Cut(String reason) -> cut(reason);
            case Brought.Failed(Trouble trouble) -> {
                drop();
                throw trouble;
            }
            case Brought.Refused(AwsRefusal refusal) -> {
                drop();
                yield refused(refusal, after, begin);
            }
        };
    }

    /** The next subscription may do better; where none brings anything, it does not pass by itself. */
    private Optional<Page> cut(String reason) throws SourceAway {
        drop();
        tries++;
        if (tries > MAX_TRIES) {
            throw new SourceAway("What Kinesis sends of the shard " + shard + " does not arrive: " + reason + ".");
        }
        return Optional.empty();
    }

    /** A worker that was killed a moment ago may have a subscription still, and a later one ends this. */
    private Optional<Page> refused(AwsRefusal refusal, String after, ShardBegin begin) throws AwsRefusal, Trouble {
        if (refusal.is(IN_USE) && tries < MAX_TRIES) {
            tries++;
            return Optional.empty();
        }
        if (refusal.is(IN_USE)) {
            throw new SourceAway("Somebody else is subscribed to the shard " + shard + " as the pipe's consumer.");
        }
        if (refusal.is(KinesisApi.MISSING)) {
            throw new SourceAway("The pipe's consumer, or the shard " + shard + ", is not at the stream any more.");
        }
        if (refusal.is(KinesisApi.INVALID)) {
            throw new Owner("The shard " + shard + " cannot be read "
                    + (after.equals(ShardPlace.BEGIN) ? "where the pipe was sent: " + begin : "after " + after)
                    + ". Send the pipe to another place; where the stream was made again, another pipe reads it.");
        }
        throw refusal;
    }

    private Map<String, Object> place(String after, ShardBegin begin) {
        Map<String, Object> place = new LinkedHashMap<>();
        String last = readOn == null ? after : readOn;
        if (last.equals(ShardPlace.BEGIN)) {
            begin.question().forEach((name, value) -> place.put(memberOf(name), value));
        } else {
            place.put("Type", "AFTER_SEQUENCE_NUMBER");
            place.put("SequenceNumber", last);
        }
        return place;
    }

    /** A way to read on and a subscription call the same by different names. */
    private static String memberOf(String name) {
        return switch (name) {
            case "ShardIteratorType" -> "Type";
            case "StartingSequenceNumber" -> "SequenceNumber";
            default -> name;
        };
    }

    private Subscription subscribed(Map<String, Object> place) {
        heardAt = System.nanoTime();
        notBefore = heardAt + BETWEEN;
        BlockingQueue<Brought> brought = new ArrayBlockingQueue<>(1);
        EventRoom.Share share = room.share();
        return new Subscription(brought, share, threads.submit(() -> listen(place, brought, share)));
    }

    private void listen(Map<String, Object> place, BlockingQueue<Brought> brought, EventRoom.Share share) {
        try {
            brought.put(heard(place, brought, share));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hands on what comes; how it ended. */
    private Brought heard(Map<String, Object> place, BlockingQueue<Brought> brought, EventRoom.Share share)
            throws InterruptedException {
        try (EventFrames frames = opening.from(shard, place).within(share::take)) {
            Optional<EventFrames.Event> event = frames.next();
            while (event.isPresent()) {
                int bytes = event.get().payload().length;
                if (event.get().type().equals("SubscribeToShardEvent")) {
                    Page page =
                            KinesisApi.page(new ByteArrayInputStream(event.get().payload()));
                    brought.put(new Brought.Records(page, bytes));
                    if (page.next() == null) {
                        break;
                    }
                } else {
                    share.give(bytes);
                }
                event = frames.next();
            }
            return new Brought.Ended();
        } catch (AwsRefusal refusal) {
            return new Brought.Refused(refusal);
        } catch (Trouble trouble) {
            return new Brought.Failed(trouble);
        } catch (JacksonException _) {
            // Its message may show what came.
            return new Brought.Cut("an event cannot be read");
        } catch (IOException cut) {
            return new Brought.Cut(String.valueOf(cut.getMessage()));
        }
    }

    /** The next subscription comes when Kinesis takes one. */
    private void drop() {
        Subscription now = subscription;
        subscription = null;
        if (now != null) {
            now.listening().cancel(true);
            now.share().close();
        }
    }

    /** Whether the next call brings something. */
    boolean hasEvent() {
        return subscription != null && !subscription.brought().isEmpty();
    }

    @Override
    public void again() {
        readOn = null;
        drop();
    }

    @Override
    public void close() {
        drop();
    }
}
