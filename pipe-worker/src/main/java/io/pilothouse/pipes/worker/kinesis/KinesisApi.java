package io.pilothouse.pipes.worker.kinesis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.aws.AwsJson;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.aws.EventFrames;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests that reading one stream needs. Safe for many threads. */
final class KinesisApi {
    private static final AwsJson.Dialect DIALECT =
            new AwsJson.Dialect("application/x-amz-json-1.1", "Kinesis_20131202");
    private static final String NAME = "Kinesis";
    /** What it says of what is not there, and of a place that a shard does not have. */
    static final String MISSING = "ResourceNotFoundException";

    static final String INVALID = "InvalidArgumentException";
    private static final double MILLIS = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonFactory FACTORY = JSON.getFactory();

    private final String stream;
    private final String region;
    private final AwsJson json;
    private final Clock clock;
    private final boolean isOverTls;

    /** The shards of a stream, those that were closed too, and when it was asked by its own clock. */
    record Listing(List<Shard> shards, long millis) {}

    /** A record as it came. */
    @SuppressWarnings("ArrayRecordComponent")
    record Entry(String sequence, String key, long millis, byte[] data) {}

    /**
     * What one request or event brought, and how long it was; {@code next} is the way to read on after it, and null at
     * the end of a shard that was closed.
     */
    record Page(List<Entry> entries, @Nullable String next, long millisBehind, long bytes) {}

    KinesisApi(Link link, Assignment assignment, Clock clock) throws Owner {
        Tree.Members source = assignment.source();
        this.stream = source.text("streamName").orElse("");
        this.region = source.text("region").orElse("");
        AwsKeys keys = AwsKeys.of(link, assignment, clock)
                .orElseThrow(() -> new Owner("A stream of Kinesis is read with an access key or a role."));
        this.clock = clock;
        URI address = address(source);
        this.isOverTls = "https".equalsIgnoreCase(address.getScheme());
        this.json = new AwsJson(NAME, address, () -> keys.signature(region, "kinesis"), DIALECT, clock);
    }

    /** The one that the operator names, or Amazon's of the region. */
    private URI address(Tree.Members source) {
        String suffix = region.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
        return URI.create(source.text("address")
                .orElseGet(() -> "https://kinesis." + region.replaceAll("[^a-z0-9-]", "") + suffix + "/"));
    }

    boolean isOverTls() {
        return isOverTls;
    }

    String stream() {
        return stream;
    }

    Listing shards() throws Trouble {
        try {
            List<Shard> shards = new ArrayList<>();
            Map<String, Object> question = Map.of("StreamName", stream);
            long millis = 0;
            while (true) {
                long[] asked = {0};
                JsonNode answer = json.call("ListShards", question, (in, at) -> {
                    asked[0] = at > 0 ? at : clock.millis();
                    return JSON.readTree(in);
                });
                millis = millis == 0 ? asked[0] : millis;
                answer.path("Shards").forEach(shard -> shards.add(shard(shard)));
                String next = answer.path("NextToken").asText("");
                if (next.isEmpty()) {
                    return new Listing(shards, millis);
                }
                question = Map.of("NextToken", next);
            }
        } catch (AwsRefusal refusal) {
            if (refusal.is(MISSING)) {
                throw noStream();
            }
            throw refusal.trouble(NAME);
        }
    }

    Owner noStream() {
        return new Owner("There is no stream " + stream + " in " + region + ".");
    }

    private static Shard shard(JsonNode node) {
        List<String> parents = new ArrayList<>();
        for (String name : List.of("ParentShardId", "AdjacentParentShardId")) {
            String parent = node.path(name).asText("");
            if (!parent.isEmpty()) {
                parents.add(parent);
            }
        }
        JsonNode hashes = node.path("HashKeyRange");
        return new Shard(
                node.path("ShardId").asText(""),
                parents,
                new BigInteger(hashes.path("StartingHashKey").asText("0")),
                new BigInteger(hashes.path("EndingHashKey").asText("0")));
    }

    /** A way to read on after this record; from the begin of the shard where there is none. */
    String iterator(String shard, String after, ShardBegin begin) throws AwsRefusal, Trouble {
        Map<String, Object> question = new LinkedHashMap<>(Map.of("StreamName", stream, "ShardId", shard));
        if (after.equals(ShardPlace.BEGIN)) {
            question.putAll(begin.question());
        } else {
            question.put("ShardIteratorType", "AFTER_SEQUENCE_NUMBER");
            question.put("StartingSequenceNumber", after);
        }
        try {
            return json.call("GetShardIterator", question).path("ShardIterator").asText("");
        } catch (AwsRefusal refusal) {
            if (refusal.is(MISSING) || refusal.is(INVALID)) {
                throw new Owner(missing(shard, after, begin));
            }
            throw refusal;
        }
    }

    /** One question whose answer is small. */
    JsonNode ask(String operation, Map<String, ?> question) throws AwsRefusal, Owner, SourceAway {
        return json.call(operation, question);
    }

    /** A question that is answered for as long as somebody listens. */
    EventFrames subscribe(HttpClient client, Map<String, ?> question)
            throws AwsRefusal, Owner, SourceAway, InterruptedException {
        return json.subscribe(client, "SubscribeToShard", question);
    }

    private String missing(String shard, String after, ShardBegin begin) {
        if (after.equals(ShardPlace.BEGIN) && begin instanceof ShardBegin.At(String number)) {
            return "The shard " + shard + " of the stream " + stream + " has no record " + number
                    + ", where the pipe was sent. Send it to another place.";
        }
        return "The shard " + shard + " of the stream " + stream + " cannot be read after "
                + (after.isEmpty() ? "its beginning" : after)
                + ": the stream was made again. Another pipe reads it as it is now.";
    }

    Page records(String iterator) throws AwsRefusal, Owner, SourceAway {
        return records(Map.of("ShardIterator", iterator));
    }

    /** The same, and no more records than this. */
    Page records(String iterator, int limit) throws AwsRefusal, Owner, SourceAway {
        return records(Map.of("ShardIterator", iterator, "Limit", limit));
    }

    private Page records(Map<String, Object> question) throws AwsRefusal, Owner, SourceAway {
        return json.call("GetRecords", question, (in, _) -> page(in));
    }

    /** What a refusal means where reading cannot simply go on. */
    static Trouble trouble(AwsRefusal refusal) {
        return refusal.trouble(NAME);
    }

    /** An answer may have ten megabytes, so it is read as it comes. */
    static Page page(InputStream in) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String next = null;
        long behind = 0;
        long bytes;
        try (JsonParser parser = FACTORY.createParser(in)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "Records" -> {
                        while (parser.nextToken() == JsonToken.START_OBJECT) {
                            entries.add(entry(parser));
                        }
                    }
                    case "NextShardIterator", "ContinuationSequenceNumber" ->
                        next = value == JsonToken.VALUE_NULL ? null : parser.getText();
                    case "MillisBehindLatest" -> behind = parser.getValueAsLong(0);
                    default -> parser.skipChildren();
                }
            }
            bytes = parser.currentLocation().getByteOffset();
        }
        return new Page(entries, next, behind, bytes);
    }

    private static Entry entry(JsonParser parser) throws IOException {
        String sequence = "0";
        String key = "";
        double seconds = 0;
        byte[] data = new byte[0];
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "SequenceNumber" -> sequence = parser.getText();
                case "PartitionKey" -> key = parser.getText();
                case "ApproximateArrivalTimestamp" -> seconds = parser.getValueAsDouble(0);
                case "Data" -> data = parser.getBinaryValue();
                default -> parser.skipChildren();
            }
        }
        return new Entry(sequence, key, Math.round(seconds * MILLIS), data);
    }
}
