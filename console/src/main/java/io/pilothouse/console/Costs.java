package io.pilothouse.console;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.usage.UsageOperations;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What services cost, in credits, for readers who may know it. */
record Costs(UsageOperations usage, Clock clock) {
    private static final int DAYS_OF_A_MONTH = 30;
    private static final double SMALLEST_SHOWN = 0.01;

    /** Of today, so far; empty for who may not read costs. */
    Optional<Map<UUID, Double>> today(Visit visit, List<Service> services) {
        return totals(visit, services.stream().map(Service::id).toList(), today());
    }

    /** One sentence about a service; empty for who may not read costs. */
    Optional<String> sentence(Visit visit, UUID service) {
        LocalDate today = today();
        return totals(visit, List.of(service), today)
                .flatMap(now -> totals(visit, List.of(service), today.minusDays(DAYS_OF_A_MONTH - 1L))
                        .map(month -> "Cost: " + shown(now.get(service)) + " credits today, "
                                + shown(month.get(service)) + " in the last " + DAYS_OF_A_MONTH + " days"));
    }

    static String shown(@Nullable Double credits) {
        if (credits == null || credits == 0) {
            return "0";
        }
        return credits < SMALLEST_SHOWN ? "< " + SMALLEST_SHOWN : String.format(Locale.ROOT, "%.2f", credits);
    }

    private Optional<Map<UUID, Double>> totals(Visit visit, List<UUID> services, LocalDate from) {
        return visit.caller().may(Permission.BILLING_READ)
                ? Optional.of(usage.totals(visit.permit(Permission.BILLING_READ), services, from, today()))
                : Optional.empty();
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.now(), ZoneOffset.UTC);
    }
}
