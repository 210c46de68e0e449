package io.pilothouse.core.usage;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time in which a service ran with the same memory; it has no end while it lasts. The spans of one service
 * follow each other.
 */
public record UsageSpan(Head head, int memoryGb, @Nullable Instant end) implements Stored {
    /** Owner: the service. */
    public static final Kind<UsageSpan> KIND = new Kind<>("usage_spans", UsageSpan.class);

    static UsageSpan begun(UUID id, UUID serviceId, int memoryGb, Instant now) {
        return new UsageSpan(Head.of(id, serviceId, now), memoryGb, null);
    }

    UsageSpan ended(Instant now) {
        return new UsageSpan(head, memoryGb, now);
    }

    /** How many gigabytes it held for how many hours of a stretch of time. */
    public double gigabyteHours(Instant from, Instant to, Instant now) {
        Instant until = end == null ? now : end;
        Instant first = createdAt().isAfter(from) ? createdAt() : from;
        Instant last = until.isBefore(to) ? until : to;
        double hours = Duration.between(first, last).toMillis()
                / (double) Duration.ofHours(1).toMillis();
        return Math.max(0, hours) * memoryGb;
    }
}
