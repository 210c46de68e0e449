package io.pilothouse.core.usage;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.TagFilter;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an organization's services cost on the days of a period. */
public final class UsageOperations {
    /** The last day may be this many after the first. */
    private static final int MAX_DAYS_AFTER = 30;

    private static final int MAX_SPANS_AT_ONCE = 200;
    /** Sorts before every id that was created at the same moment. */
    private static final UUID FIRST = new UUID(0, 0);

    private final Store store;
    private final Clock clock;
    private final UsagePrices prices;

    public UsageOperations(Store store, Clock clock, UsagePrices prices) {
        this.store = store;
        this.clock = clock;
        this.prices = prices;
    }

    /** The days of a report, both included, and which services it is about. */
    public record Period(LocalDate from, LocalDate to, List<TagFilter> filters) {
        public Period {
            filters = List.copyOf(filters);
        }

        /** Checks the days that were given; a day that is missing is a fault. */
        public static Period of(
                @Nullable LocalDate from, @Nullable LocalDate to, List<TagFilter> filters, Faults faults) {
            if (from == null && !faults.has("from_date")) {
                faults.add("from_date", "is required");
            }
            if (to == null && !faults.has("to_date")) {
                faults.add("to_date", "is required");
            }
            if (from != null && to != null) {
                long after = ChronoUnit.DAYS.between(from, to);
                if (after < 0 || after > MAX_DAYS_AFTER) {
                    faults.add("to_date", "must be from_date or up to " + MAX_DAYS_AFTER + " days after it");
                }
            }
            return new Period(from == null ? LocalDate.EPOCH : from, to == null ? LocalDate.EPOCH : to, filters);
        }
    }

    /** The costs of a page of services, those that are gone included, the costs of each in the order of the days. */
    public Page<UsageCost> page(Permit permit, Period period, Table.@Nullable Cursor after, int limit) {
        Instant now = clock.now();
        return store.read(tables -> {
            List<UsageMeter> page = tables.of(UsageMeter.KIND).page(permit.organizationId(), after, limit);
            List<UsageCost> costs = new ArrayList<>();
            for (UsageMeter meter : page) {
                Optional<Service> service = tables.of(Service.KIND).find(meter.id());
                List<Tag> tags = service.map(each -> each.details().tags()).orElse(meter.tags());
                if (period.filters().stream().allMatch(filter -> filter.matches(tags))) {
                    String name = service.map(Service::name).orElse(meter.name());
                    addMemory(tables, meter, name, period, now, costs);
                    addStorage(tables, meter, name, period, now, costs);
                }
            }
            return new Page<>(costs, page.size() < limit ? null : Table.Cursor.of(page.getLast()));
        });
    }

    /**
     * What each of these services cost on the days of a period together, a primary with what its warehouse has on disk;
     * one that never ran is not among them.
     */
    public Map<UUID, Double> totals(Permit permit, List<UUID> serviceIds, LocalDate from, LocalDate to) {
        Period period = new Period(from, to, List.of());
        Instant now = clock.now();
        return store.read(tables -> {
            Map<UUID, Double> totals = new HashMap<>();
            for (UUID id : serviceIds) {
                tables.of(UsageMeter.KIND).find(permit.organizationId(), id).ifPresent(meter -> {
                    List<UsageCost> costs = new ArrayList<>();
                    addMemory(tables, meter, meter.name(), period, now, costs);
                    addStorage(tables, meter, meter.name(), period, now, costs);
                    totals.put(
                            id, costs.stream().mapToDouble(UsageCost::credits).sum());
                });
            }
            return totals;
        });
    }

    private void addMemory(
            Tables tables, UsageMeter meter, String name, Period period, Instant now, List<UsageCost> costs) {
        List<UsageSpan> spans =
                spans(tables, meter, start(period.from()), start(period.to().plusDays(1)));
        for (LocalDate day = period.from(); !day.isAfter(period.to()); day = day.plusDays(1)) {
            double hours = 0;
            for (UsageSpan span : spans) {
                hours += span.gigabyteHours(start(day), start(day.plusDays(1)), now);
            }
            if (hours > 0) {
                costs.add(new UsageCost(
                        meter.warehouseId(), meter.id(), name, day, prices.memory(hours), isOver(day, now)));
            }
        }
    }

    /** From the end of the period backwards: they follow each other, so one that ended before it is the last to read. */
    private static List<UsageSpan> spans(Tables tables, UsageMeter meter, Instant from, Instant to) {
        List<UsageSpan> spans = new ArrayList<>();
        Table.Cursor before = new Table.Cursor(to, FIRST);
        while (true) {
            List<UsageSpan> page = tables.of(UsageSpan.KIND).pageBackwards(meter.id(), before, MAX_SPANS_AT_ONCE);
            for (UsageSpan span : page) {
                if (span.end() != null && !span.end().isAfter(from)) {
                    return spans;
                }
                spans.add(span);
            }
            if (page.size() < MAX_SPANS_AT_ONCE) {
                return spans;
            }
            before = Table.Cursor.of(page.getLast());
        }
    }

    /** A warehouse is shown with its primary, and has what all of its services have on disk. */
    private void addStorage(
            Tables tables, UsageMeter meter, String name, Period period, Instant now, List<UsageCost> costs) {
        if (!meter.primary()) {
            return;
        }
        List<UsageMeter> members = tables.of(UsageMeter.KIND)
                .listByReference(meter.warehouseId().toString(), RuleBook.MAX_SERVICES_OF_A_WAREHOUSE);
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (LocalDate day = period.from(); !day.isAfter(period.to()) && !day.isAfter(today); day = day.plusDays(1)) {
            long bytes = 0;
            for (UsageMeter member : members) {
                LocalDate goneOn =
                        member.goneAt() == null ? today : LocalDate.ofInstant(member.goneAt(), ZoneOffset.UTC);
                bytes += member.bytesOn(day, goneOn);
            }
            if (bytes > 0) {
                costs.add(new UsageCost(meter.warehouseId(), null, name, day, prices.storage(bytes), isOver(day, now)));
            }
        }
    }

    private static boolean isOver(LocalDate day, Instant now) {
        return !start(day.plusDays(1)).isAfter(now);
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
