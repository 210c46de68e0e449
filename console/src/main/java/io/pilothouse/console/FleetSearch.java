package io.pilothouse.console;

import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServiceView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the services of one page. A page without a filter reads as many rows as it shows; one with a filter looks at a
 * bounded number and says where to look on, so that no page costs more in a larger fleet.
 */
record FleetSearch(ServiceOperations services) {
    static final int MAX_SHOWN = 50;
    private static final int READ_AT_ONCE = 200;
    private static final int MAX_LOOKED_AT = 1_000;

    /** {@code next} is the place to look on from; null at the end of the list. */
    record Found(List<Service> services, Table.@Nullable Cursor next, int lookedAt) {}

    Found find(Permit permit, FleetQuery query) {
        List<Service> found = new ArrayList<>();
        int lookedAt = 0;
        int limit = query.filters() ? READ_AT_ONCE : MAX_SHOWN;
        Table.Cursor from = query.cursor();
        do {
            Page<ServiceView> page = services.page(permit, List.of(), from, limit);
            from = page.next();
            for (ServiceView view : page.items()) {
                lookedAt++;
                if (query.matches(view.service())) {
                    found.add(view.service());
                }
                if (found.size() == MAX_SHOWN) {
                    Table.Cursor here = Table.Cursor.of(view.service());
                    boolean last = from == null && isLast(view, page);
                    return new Found(sorted(found, query), last ? null : here, lookedAt);
                }
            }
        } while (from != null && lookedAt < MAX_LOOKED_AT);
        return new Found(sorted(found, query), from, lookedAt);
    }

    private static boolean isLast(ServiceView view, Page<ServiceView> page) {
        return view.service().id().equals(page.items().getLast().service().id());
    }

    private static List<Service> sorted(List<Service> found, FleetQuery query) {
        return found.stream().sorted(query.sort().order()).toList();
    }
}
