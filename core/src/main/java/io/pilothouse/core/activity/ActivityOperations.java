package io.pilothouse.core.activity;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reading what happened in an organization. */
public final class ActivityOperations {
    /** Sorts after every id that was created at the same moment. */
    private static final UUID LAST = new UUID(-1L, -1L);

    private final Store store;

    public ActivityOperations(Store store) {
        this.store = store;
    }

    /** The activities in {@code [from, to)}, newest first, a page at a time. */
    public Page<Activity> page(
            Permit permit, @Nullable Instant from, @Nullable Instant to, Table.@Nullable Cursor before, int limit) {
        Table.Cursor start = before == null && to != null ? new Table.Cursor(to.minusNanos(1), LAST) : before;
        List<Activity> page =
                store.read(tables -> tables.of(Activity.KIND).pageBackwards(permit.organizationId(), start, limit));
        List<Activity> wanted = from == null
                ? page
                : page.stream()
                        .takeWhile(activity -> !activity.createdAt().isBefore(from))
                        .toList();
        boolean more = page.size() == limit && wanted.size() == limit;
        List<Activity> shown = wanted.stream()
                .map(activity -> activity.shownTo(permit.caller()))
                .toList();
        return new Page<>(shown, more ? Table.Cursor.of(page.getLast()) : null);
    }

    /** The newest activities of a service that this permit was given for, newest first; none without the right to them. */
    public static List<Activity> ofService(Tables tables, Permit permit, UUID serviceId, int limit) {
        return permit.caller().may(Permission.ACTIVITY_READ)
                ? tables.of(Activity.KIND).newestByReference(serviceId.toString(), limit).stream()
                        .map(activity -> activity.shownTo(permit.caller()))
                        .toList()
                : List.of();
    }

    public Activity get(Permit permit, UUID activityId) {
        return store.read(tables -> tables.of(Activity.KIND)
                .find(permit.organizationId(), activityId)
                .map(activity -> activity.shownTo(permit.caller()))
                .orElseThrow(() -> Refused.notFound("Activity")));
    }
}
