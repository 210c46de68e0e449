package io.pilothouse.pipes.worker.records;

import org.jspecify.annotations.Nullable;

/** A record whose message could be read, and that message as a JSON object; one without a message has none. */
@SuppressWarnings("ArrayRecordComponent")
record Row(StreamRecord record, byte @Nullable [] object) {}
