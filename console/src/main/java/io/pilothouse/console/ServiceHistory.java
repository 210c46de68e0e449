package io.pilothouse.console;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The latest lines about one service, out of a bounded number of the latest lines of its organization. */
record ServiceHistory(ActivityOperations activities) {
    static final int MAX_LOOKED_AT = 1_000;
    private static final int MAX_SHOWN = 30;
    private static final int READ_AT_ONCE = 200;

    List<Activity> of(Permit permit, UUID serviceId) {
        List<Activity> found = new ArrayList<>();
        int lookedAt = 0;
        Table.Cursor before = null;
        do {
            Page<Activity> page = activities.page(permit, null, null, before, READ_AT_ONCE);
            page.items().stream()
                    .filter(line -> serviceId.equals(line.serviceId()))
                    .forEach(found::add);
            lookedAt += READ_AT_ONCE;
            before = page.next();
        } while (before != null && lookedAt < MAX_LOOKED_AT && found.size() < MAX_SHOWN);
        return found.stream().limit(MAX_SHOWN).toList();
    }
}
