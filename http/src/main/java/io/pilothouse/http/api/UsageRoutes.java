package io.pilothouse.http.api;

import io.pilothouse.core.base.TagFilter;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.usage.UsageCost;
import io.pilothouse.core.usage.UsageOperations;
import io.pilothouse.core.usage.UsageOperations.Period;
import io.pilothouse.core.usage.UsagePrices;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.Query;
import io.pilothouse.http.wire.Request;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What services cost, over HTTP. */
public record UsageRoutes(UsageOperations usage) {
    /** Sent while it is read, the sum last: an organization may have any number of services. */
    public Answer cost(Request request) {
        Query query = request.query();
        LocalDate from = query.date("from_date");
        LocalDate to = query.date("to_date");
        List<TagFilter> filters = TagFilter.read(query.all("filter"), request.faults());
        Period period = Period.of(from, to, filters, request.faults());
        Permit permit = request.checkedPermit();
        Page<UsageCost> first = usage.page(permit, period, null, Listing.PAGE);
        return request.streamed(out -> write(out, permit, period, first));
    }

    private void write(JsonWriter out, Permit permit, Period period, Page<UsageCost> first) {
        double total = 0;
        out.startObject();
        out.startArray("costs");
        for (Page<UsageCost> page = first; page != null; page = after(permit, period, page)) {
            for (UsageCost cost : page.items()) {
                write(out, cost);
                total += cost.credits();
            }
        }
        out.endArray();
        out.number("grandTotalCHC", UsagePrices.rounded(total));
        out.endObject();
    }

    private @Nullable Page<UsageCost> after(Permit permit, Period period, Page<UsageCost> page) {
        return page.next() == null ? null : usage.page(permit, period, page.next(), Listing.PAGE);
    }

    private static void write(JsonWriter out, UsageCost cost) {
        boolean ofService = cost.serviceId() != null;
        out.startObject();
        out.id("dataWarehouseId", cost.warehouseId());
        if (ofService) {
            out.id("serviceId", cost.serviceId());
        } else {
            out.name("serviceId");
            out.nothing();
        }
        out.text("date", cost.day().toString());
        out.text("entityType", ofService ? "service" : "datawarehouse");
        out.id("entityId", ofService ? cost.serviceId() : cost.warehouseId());
        out.text("entityName", cost.name());
        out.startObject("metrics");
        out.number(ofService ? "computeCHC" : "storageCHC", cost.credits());
        out.endObject();
        out.number("totalCHC", cost.credits());
        out.flag("locked", cost.locked());
        out.endObject();
    }
}
