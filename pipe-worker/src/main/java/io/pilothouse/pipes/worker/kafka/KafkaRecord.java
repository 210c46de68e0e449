package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import io.pilothouse.pipes.worker.records.StreamRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record of Kafka. */
record KafkaRecord(ConsumerRecord<byte[], byte[]> record) implements StreamRecord {
    @Override
    public byte @Nullable [] message() {
        return record.value();
    }

    @Override
    public long millis() {
        return record.timestamp();
    }

    @Override
    public String place() {
        return record.topic() + ":" + record.partition() + ":" + record.offset();
    }

    @Override
    public List<RecordField> fields() {
        return RecordField.of("kafka");
    }

    @Override
    public void write(RecordField field, JsonBytes out) {
        switch (field) {
            case KEY -> out.text(record.key());
            case TIMESTAMP -> out.text(Instant.ofEpochMilli(record.timestamp()).toString());
            case PARTITION -> out.plain(Integer.toString(record.partition()));
            case OFFSET -> out.plain(Long.toString(record.offset()));
            case TOPIC -> out.text(record.topic());
            case HEADER_KEYS ->
                texts(
                        out,
                        headers().stream()
                                .map(header -> header.key().getBytes(StandardCharsets.UTF_8))
                                .toList());
            case HEADER_VALUES ->
                texts(
                        out,
                        headers().stream()
                                .map(header -> header.value() == null ? new byte[0] : header.value())
                                .toList());
            case RAW_MESSAGE -> out.text(record.value());
            case STREAM, SEQUENCE_NUMBER -> throw new IllegalStateException("Kafka has no " + field);
        }
    }

    private List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(headers::add);
        return headers;
    }

    private static void texts(JsonBytes out, List<byte[]> texts) {
        out.write('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.text(texts.get(i));
        }
        out.write(']');
    }
}
