package io.pilothouse.pipes.worker.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How records become lines of JSON. */
class RecordLinesTest {
    private static final RecordLines BARE = new RecordLines("`id` UInt64, `_key` String");

    @SuppressWarnings("ArrayRecordComponent")
    private record Given(byte @Nullable [] message) implements StreamRecord {
        @Override
        public long millis() {
            return 0;
        }

        @Override
        public String place() {
            return "somewhere";
        }

        @Override
        public List<RecordField> fields() {
            return List.of();
        }

        @Override
        public void write(RecordField field, JsonBytes out) {
            out.text(field.name());
        }
    }

    private static Given record(@Nullable String message) {
        return new Given(message == null ? null : message.getBytes(StandardCharsets.UTF_8));
    }

    private static String line(String structure, @Nullable String message) {
        Given record = record(message);
        return new String(new RecordLines(structure).line(new Row(record, record.message())), StandardCharsets.UTF_8);
    }

    @Test
    void messageAloneIsTheLine() {
        assertThat(line("`id` UInt64", " {\"a\": 1} ")).isEqualTo(" {\"a\": 1} ");
        assertThat(BARE.has(record(null))).isFalse();
        assertThat(BARE.has(record(""))).isTrue();
    }

    @Test
    void whatIsBesideTheMessageGoesBeforeItsFirstField() {
        assertThat(line("`@_key` String, `@_offset` Int64", " { \"a\":1}"))
                .isEqualTo("{ \"@_key\":\"KEY\",\"@_offset\":\"OFFSET\", \"a\":1}");
        assertThat(line("`@_partition` Int32", "{ }")).isEqualTo("{ \"@_partition\":\"PARTITION\"  }");
        assertThat(line("`@_key` String", null)).isEqualTo("{ \"@_key\":\"KEY\"}");
    }
}
