package io.pilothouse.core.operation;

import io.pilothouse.core.domain.Activity;
import io.pilothouse.core.domain.Permit;
import io.pilothouse.core.domain.RowIds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Tables;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the line that every change leaves, in the transaction of the change. */
final class ActivityLog {
    private final Clock clock;

    ActivityLog(Clock clock) {
        this.clock = clock;
    }

    void add(Tables tables, Permit permit, String type, @Nullable UUID serviceId, @Nullable UUID subjectId) {
        tables.activities()
                .insert(new Activity(
                        RowIds.at(clock.now()),
                        permit.organizationId(),
                        clock.now(),
                        type,
                        "api",
                        permit.caller().keyId(),
                        permit.caller().keyName(),
                        permit.requestId(),
                        serviceId,
                        subjectId));
    }
}
