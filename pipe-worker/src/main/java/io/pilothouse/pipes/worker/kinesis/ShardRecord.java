package io.pilothouse.pipes.worker.kinesis;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import io.pilothouse.pipes.worker.records.StreamRecord;
import java.time.Instant;
import java.util.List;

/**
 * A record of Kinesis, or one of those that a producer put together into it. {@code part} is the stream and the shard,
 * and {@code number} is which of them it is, -1 for one that stands alone.
 */
@SuppressWarnings("ArrayRecordComponent")
record ShardRecord(String part, String sequence, int number, String key, long millis, byte[] message)
        implements StreamRecord {
    @Override
    public String place() {
        return part + ":" + sequence + (number < 0 ? "" : "/" + number);
    }

    @Override
    public List<RecordField> fields() {
        return RecordField.of("kinesis");
    }

    @Override
    public void write(RecordField field, JsonBytes out) {
        switch (field) {
            case KEY -> out.text(key);
            case TIMESTAMP -> out.text(Instant.ofEpochMilli(millis).toString());
            case STREAM -> out.text(part.substring(0, part.indexOf(':')));
            case SEQUENCE_NUMBER -> out.text(sequence);
            case RAW_MESSAGE -> out.text(message);
            case PARTITION, OFFSET, TOPIC, HEADER_KEYS, HEADER_VALUES ->
                throw new IllegalStateException("Kinesis has no " + field);
        }
    }
}
