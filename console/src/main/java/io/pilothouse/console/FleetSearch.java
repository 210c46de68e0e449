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
 * Finds the services of one page. In the order in which they were made, a page reads as many rows as it shows; a filter
 * or another order looks at a bounded number and says where to look on, so that no page costs more in a larger fleet.
 */
record FleetSearch(ServiceOperations services) {
    static final int MAX_SHOWN = 50;
    private static final int READ_AT_ONCE = 200;
    static final int MAX_LOOKED_AT = 1_000;

    /**
     * One page of what was found. {@code more} says that this search has found others after it, {@code next} is the
     * place to look on from, null at the end of the list.
     */
    record Found(List<Service> services, boolean more, Table.@Nullable Cursor next, int lookedAt) {}

    Found find(Permit permit, FleetQuery query) {
        if (!query.searches()) {
            Page<ServiceView> page = services.page(permit, List.of(), query.cursor(), MAX_SHOWN);
            List<Service> shown =
                    page.items().stream().map(ServiceView::service).toList();
            return new Found(shown, false, page.next(), shown.size());
        }
        List<Service> found = new ArrayList<>();
        int lookedAt = 0;
        Table.Cursor from = query.cursor();
        do {
            Page<ServiceView> page = services.page(permit, List.of(), from, READ_AT_ONCE);
            from = page.next();
            lookedAt += page.items().size();
            page.items().stream()
                    .map(ServiceView::service)
                    .filter(query::matches)
                    .forEach(found::add);
        } while (from != null && lookedAt < MAX_LOOKED_AT);
        List<Service> shown = found.stream()
                .sorted(query.sort().order())
                .skip(query.skip())
                .limit(MAX_SHOWN)
                .toList();
        return new Found(shown, query.skip() + shown.size() < found.size(), from, lookedAt);
    }
}
