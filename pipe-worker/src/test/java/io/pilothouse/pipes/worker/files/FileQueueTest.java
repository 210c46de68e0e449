package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What buckets say to queues. */
class FileQueueTest {
    private static final String MADE = """
        {"Records":[{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"b"},
          "object":{"key":"in/a+b%2B%C3%BC.json","size":12,"eTag":"e1"}}},
        {"eventName":"ObjectRemoved:Delete","s3":{"bucket":{"name":"b"},"object":{"key":"in/c.json"}}},
        {"eventName":"ObjectCreated:Copy","s3":{"bucket":{"name":"other"},"object":{"key":"in/d.json"}}}]}""";

    @Test
    void filesThatWereMadeInTheBucketAreTold() {
        assertThat(FileQueue.files(MADE, "b")).contains(List.of(new Found("in/a b+ü.json", "e1", 12)));
    }

    @Test
    void topicMayPassAMessageOn() {
        String passed = MADE.replace("\"", "\\\"").replace("\n", " ");
        assertThat(FileQueue.files("{\"Type\":\"Notification\",\"Message\":\"" + passed + "\"}", "b"))
                .isEqualTo(FileQueue.files(MADE, "b"));
    }

    @Test
    void trialOfTheWayTellsOfNothing() {
        assertThat(FileQueue.files("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\"}", "b"))
                .contains(List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "{}",
                "[]",
                "{\"Records\":1}",
                "{\"Type\":\"Notification\",\"Message\":\"hello\"}",
                "{\"Records\":[{\"eventName\":\"ObjectCreated:Put\",\"s3\":{\"bucket\":{\"name\":\"b\"},\"object\":{\"key\":\"%zz\"}}}]}"
            })
    void anythingElseIsNoMessageOfABucket(String body) {
        assertThat(FileQueue.files(body, "b")).isEqualTo(Optional.empty());
    }
}
