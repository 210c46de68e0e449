package io.pilothouse.core.activity;

import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the line that every change leaves, in the transaction of the change. */
public final class ActivityLog {
    private final Clock clock;

    public ActivityLog(Clock clock) {
        this.clock = clock;
    }

    /** Writes a line about something that happened to a service by itself. */
    public static void addBySystem(
            Tables tables, UUID organizationId, String type, UUID serviceId, @Nullable UUID subjectId, Instant now) {
        Head head = Head.of(tables.newId(now), organizationId, now);
        tables.of(Activity.KIND).insert(Activity.bySystem(head, type, serviceId, subjectId));
    }

    public void add(Tables tables, Permit permit, String type, @Nullable UUID serviceId, @Nullable UUID subjectId) {
        add(tables, permit, type, serviceId, subjectId, List.of());
    }

    /** Writes a line that says what the change made of its thing. */
    public void add(
            Tables tables,
            Permit permit,
            String type,
            @Nullable UUID serviceId,
            @Nullable UUID subjectId,
            List<FieldChange> changes) {
        UUID person = permit.caller().userId();
        tables.of(Activity.KIND)
                .insert(new Activity(
                        Head.of(tables.newId(clock.now()), permit.organizationId(), clock.now()),
                        type,
                        person == null ? "api" : "user",
                        person == null ? permit.caller().keyId() : person,
                        permit.caller().keyName(),
                        permit.requestId(),
                        serviceId,
                        subjectId,
                        permit.client(),
                        null,
                        changes.isEmpty()
                                ? null
                                : new Changes(permit.permission().reading(), changes)));
    }

    /** Removes at most {@code limit} lines of any organization that are older than this; returns how many it was. */
    public static int forget(Tables tables, Instant before, int limit) {
        Table<Activity> lines = tables.of(Activity.KIND);
        // Ids begin with the time, so that the oldest lines are the first.
        List<Activity> old = lines.all(Activity.BEGINNING, limit).stream()
                .takeWhile(line -> line.createdAt().isBefore(before))
                .toList();
        old.forEach(line -> lines.delete(line.id(), line.version()));
        return old.size();
    }
}
