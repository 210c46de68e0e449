package io.pilothouse.pipes.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How records become lines of JSON. */
class RecordLinesTest {
    private static final RecordLines BARE = new RecordLines("`id` UInt64, `_key` String");

    private static ConsumerRecord<byte[], byte[]> record(@Nullable String key, @Nullable String message) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", bytes("v\n"));
        return new ConsumerRecord<>(
                "t", 3, 7, 0, TimestampType.CREATE_TIME, 0, 0, bytes(key), bytes(message), headers, Optional.empty());
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String line(String structure, @Nullable String key, @Nullable String message) {
        return new String(
                new RecordLines(structure).line(new Row(record(key, message), bytes(message))), StandardCharsets.UTF_8);
    }

    @Test
    void messageAloneIsTheLine() {
        assertThat(line("`id` UInt64", "k", " {\"a\": 1} ")).isEqualTo(" {\"a\": 1} ");
        assertThat(BARE.has(record("k", null))).isFalse();
    }

    @Test
    void whatIsBesideTheMessageGoesBeforeItsFirstField() {
        assertThat(line("`@_key` String, `@_offset` Int64", "a\"b\\", " { \"a\":1}"))
                .isEqualTo("{ \"@_key\":\"a\\\"b\\\\\",\"@_offset\":7, \"a\":1}");
        assertThat(line("`@_partition` Int32", null, "{ }")).isEqualTo("{ \"@_partition\":3  }");
        assertThat(line("`@_key` String", null, null)).isEqualTo("{ \"@_key\":null}");
        assertThat(line("`@_timestamp` DateTime, `@_topic` String", null, null))
                .isEqualTo("{ \"@_timestamp\":\"1970-01-01T00:00:00Z\",\"@_topic\":\"t\"}");
        assertThat(line("`@_header_keys` Array(String), `@_header_values` Array(String)", null, null))
                .isEqualTo("{ \"@_header_keys\":[\"h\"],\"@_header_values\":[\"v\\u000a\"]}");
        assertThat(line("`@_raw_message` String", null, "{\"a\":1}"))
                .isEqualTo("{ \"@_raw_message\":\"{\\\"a\\\":1}\",\"a\":1}");
    }
}
