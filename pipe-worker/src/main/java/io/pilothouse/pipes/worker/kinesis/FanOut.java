package io.pilothouse.pipes.worker.kinesis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;

/**
 * A consumer of a stream that is the pipe's own: Kinesis sends it what each shard has, in a throughput that nobody
 * shares. It is registered when the pipe first reads, and stays until the pipe is deleted.
 */
final class FanOut implements ShardFeed.Feeds {
    /** An event has up to two megabytes, and is larger once it is read. */
    private static final int ROOM_A_GIGABYTE = 16 << 20;

    private static final int LOOKS = 60;
    private static final long BETWEEN_LOOKS_MILLIS = 1_000;
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(30);
    private static final String IN_USE = "ResourceInUseException";

    private final KinesisApi api;
    private final String consumer;
    private final ExecutorService threads;
    private final EventRoom room;
    private final HttpClient client;

    private FanOut(KinesisApi api, String consumer, ExecutorService threads, double memoryGb) {
        this.api = api;
        this.consumer = consumer;
        this.threads = threads;
        this.room = new EventRoom((long) (ROOM_A_GIGABYTE * memoryGb));
        this.client = HttpClient.newBuilder()
                // Over HTTP/2 all shards share one connection; a server without TLS does not speak it.
                .version(api.isOverTls() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECTS_WITHIN)
                .executor(threads)
                .build();
    }

    static FanOut register(Link link, Assignment assignment, KinesisApi api, ExecutorService threads)
            throws Trouble, InterruptedException {
        try {
            Map<String, String> named = named(assignment, stream(api));
            // Noted first: what is noted is looked for when the pipe is deleted, whether it came to be or not.
            if (link.ask(About.BEGIN, Span.tree(List.of(new Span(Span.FOOTPRINT, 0, 0, ""))))
                    .refusal()
                    .isPresent()) {
                throw new Yield("Another worker reads this pipe.");
            }
            for (int look = 0; look < LOOKS; look++) {
                JsonNode seen = find(api, named);
                if (seen.path("ConsumerStatus").asText("").equals("ACTIVE")) {
                    return new FanOut(
                            api,
                            seen.path("ConsumerARN").asText(""),
                            threads,
                            assignment.share().memoryGb());
                }
                if (seen.isMissingNode()) {
                    create(api, named);
                }
                if (link.pause(BETWEEN_LOOKS_MILLIS)) {
                    throw new Yield("The worker is ending.");
                }
            }
            throw new SourceAway("The pipe's consumer of the stream " + api.stream() + " is still not there.");
        } catch (AwsRefusal refusal) {
            throw refusal.is(KinesisApi.MISSING) ? api.noStream() : KinesisApi.trouble(refusal);
        }
    }

    private static JsonNode find(KinesisApi api, Map<String, String> named) throws AwsRefusal, Owner, SourceAway {
        try {
            return api.ask("DescribeStreamConsumer", named).path("ConsumerDescription");
        } catch (AwsRefusal refusal) {
            if (refusal.is(KinesisApi.MISSING)) {
                return MissingNode.getInstance();
            }
            throw refusal;
        }
    }

    /** Another replica may be first. */
    private static void create(KinesisApi api, Map<String, String> named) throws AwsRefusal, Owner, SourceAway {
        try {
            api.ask("RegisterStreamConsumer", named);
        } catch (AwsRefusal refusal) {
            if (refusal.is("LimitExceededException")) {
                throw new SourceAway("The stream " + api.stream() + " takes no more consumers with enhanced fan-out for"
                        + " now (LimitExceededException): it has as many as it may, or five are being registered.");
            }
            if (!refusal.is(IN_USE)) {
                throw refusal;
            }
        }
    }

    /** Takes the consumer away, if it is there. */
    static void leave(Assignment assignment, KinesisApi api) throws Trouble {
        try {
            api.ask("DeregisterStreamConsumer", named(assignment, stream(api)));
        } catch (AwsRefusal refusal) {
            if (!refusal.is(KinesisApi.MISSING)) {
                throw KinesisApi.trouble(refusal);
            }
        }
    }

    private static String stream(KinesisApi api) throws AwsRefusal, Owner, SourceAway {
        return api.ask("DescribeStreamSummary", Map.of("StreamName", api.stream()))
                .at("/StreamDescriptionSummary/StreamARN")
                .asText("");
    }

    private static Map<String, String> named(Assignment assignment, String stream) {
        return Map.of("StreamARN", stream, "ConsumerName", "pilothouse-" + assignment.pipe());
    }

    @Override
    public ShardFeed of(String shard) {
        return new PushedShard(
                (id, place) -> api.subscribe(
                        client, Map.of("ConsumerARN", consumer, "ShardId", id, "StartingPosition", place)),
                shard,
                threads,
                room);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
