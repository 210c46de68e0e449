package io.pilothouse.pipes.worker.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record whose message could be read, and that message as a JSON object; one without a message has none. */
@SuppressWarnings("ArrayRecordComponent")
record Row(ConsumerRecord<byte[], byte[]> record, byte @Nullable [] object) {}
