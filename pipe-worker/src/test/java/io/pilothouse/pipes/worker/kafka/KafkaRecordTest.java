package io.pilothouse.pipes.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a record of Kafka has beside its message. */
class KafkaRecordTest {
    private static final KafkaRecord RECORD = record();

    private static KafkaRecord record() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", bytes("v\n"));
        headers.add("none", null);
        return new KafkaRecord(new ConsumerRecord<>(
                "t",
                3,
                7,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                bytes("a\"b\\"),
                bytes("{}"),
                headers,
                Optional.empty()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
        KEY,           "a\\"b\\\\"
        TIMESTAMP,     "1970-01-01T00:00:00Z"
        PARTITION,     3
        OFFSET,        7
        TOPIC,         "t"
        HEADER_KEYS,   ~["h","none"]~
        HEADER_VALUES, ~["v\\u000a",""]~
        RAW_MESSAGE,   "{}"
        """)
    void isWrittenAsJson(RecordField field, String json) {
        JsonBytes out = new JsonBytes(64);
        RECORD.write(field, out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(json);
    }

    @Test
    void hasNoFieldsOfOtherStreams() {
        assertThatThrownBy(() -> RECORD.write(RecordField.SEQUENCE_NUMBER, new JsonBytes(64)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(RECORD.place()).isEqualTo("t:3:7");
    }
}
