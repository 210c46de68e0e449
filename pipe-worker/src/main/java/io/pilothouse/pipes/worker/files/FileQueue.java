package io.pilothouse.pipes.worker.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.pipes.worker.aws.AwsJson;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.aws.AwsRefusal;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A queue of SQS that a bucket tells of its new files, directly or through a topic of SNS. A message that nobody
 * deletes comes again, so it is deleted only when nothing is left to do about it.
 */
final class FileQueue {
    private static final AwsJson.Dialect DIALECT = new AwsJson.Dialect("application/x-amz-json-1.0", "AmazonSQS");
    private static final String NAME = "The queue";
    private static final int MAX_MESSAGES = 10;
    /** Shorter than the time that a worker has to end. */
    private static final int WAIT_SECONDS = 5;

    private static final Pattern REGION = Pattern.compile("(?:.*\\.)?sqs(?:-fips)?\\.([a-z0-9-]+)\\.amazonaws\\..*");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String url;
    private final String bucket;
    private final AwsJson json;

    /** What was told, by what name it can be deleted, and the files of the bucket in it; empty if it cannot be read. */
    record Message(String receipt, Optional<List<Found>> files) {}

    private FileQueue(String url, String bucket, AwsJson json) {
        this.url = url;
        this.bucket = bucket;
        this.json = json;
    }

    /** The queue of this URL, for the bucket of a place; it is asked with the credentials for the bucket. */
    static FileQueue of(String url, ObjectPlace place, AwsKeys keys, Clock clock) throws Owner {
        try {
            URI address = URI.create(url);
            Matcher region = REGION.matcher(String.valueOf(address.getHost()));
            String of = region.matches() ? region.group(1) : place.region();
            return new FileQueue(
                    url, place.bucket(), new AwsJson(NAME, address, () -> keys.signature(of, "sqs"), DIALECT, clock));
        } catch (IllegalArgumentException _) {
            throw new Owner("The URL of the queue cannot be used as it is.");
        }
    }

    /** Waits some seconds for messages, and returns at most ten. */
    List<Message> receive() throws Trouble {
        JsonNode answer = call(
                "ReceiveMessage",
                Map.of("QueueUrl", url, "MaxNumberOfMessages", MAX_MESSAGES, "WaitTimeSeconds", WAIT_SECONDS));
        List<Message> messages = new ArrayList<>();
        for (JsonNode message : answer.path("Messages")) {
            messages.add(new Message(
                    message.path("ReceiptHandle").asText(""),
                    files(message.path("Body").asText(""), bucket)));
        }
        return messages;
    }

    void delete(List<Message> messages) throws Trouble {
        if (messages.isEmpty()) {
            return;
        }
        List<Map<String, String>> entries = new ArrayList<>();
        for (Message message : messages) {
            entries.add(Map.of("Id", Integer.toString(entries.size()), "ReceiptHandle", message.receipt()));
        }
        // One that could not be deleted comes again, and the ledger knows its files.
        call("DeleteMessageBatch", Map.of("QueueUrl", url, "Entries", entries));
    }

    private JsonNode call(String operation, Map<String, ?> question) throws Trouble {
        try {
            return json.call(operation, question);
        } catch (AwsRefusal refusal) {
            if (refusal.is("QueueDoesNotExist") || refusal.is("NonExistentQueue")) {
                throw new Owner("There is no such queue (" + refusal.getMessage() + ").");
            }
            throw refusal.trouble(NAME);
        }
    }

    /** The files of a bucket that a message says were made; empty if it is no such message. */
    static Optional<List<Found>> files(String body, String bucket) {
        try {
            JsonNode event = JSON.readTree(body);
            // A topic puts the message of the bucket into one of its own.
            JsonNode told = event.path("Type").asText("").equals("Notification")
                    ? JSON.readTree(event.path("Message").asText(""))
                    : event;
            if (told.path("Event").asText("").equals("s3:TestEvent")) {
                return Optional.of(List.of());
            }
            if (!told.path("Records").isArray()) {
                return Optional.empty();
            }
            List<Found> files = new ArrayList<>();
            for (JsonNode one : told.path("Records")) {
                JsonNode object = one.at("/s3/object");
                boolean made = one.path("eventName").asText("").startsWith("ObjectCreated:");
                if (made && one.at("/s3/bucket/name").asText("").equals(bucket)) {
                    files.add(new Found(
                            URLDecoder.decode(object.path("key").asText(""), StandardCharsets.UTF_8),
                            object.path("eTag").asText(""),
                            object.path("size").asLong()));
                }
            }
            return Optional.of(files);
        } catch (JacksonException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
