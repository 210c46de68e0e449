package io.pilothouse.core.usage;

import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Meters services where something changes, so that a fleet at rest costs no write: a span begins and ends when a
 * service comes to run, gets another size or stops, and its size on disk is noted once a day.
 */
public final class UsageOfService implements ServiceFollower {
    private static final Duration KEPT = Duration.ofDays(400);
    /** Each new one clears a few old ones, so that nothing else has to. */
    private static final int FORGOTTEN_EACH_TIME = 4;

    private static final int MAX_SPANS_FORGOTTEN = 1_000;

    @Override
    public void changed(Tables tables, Service before, Service after, Instant now) {
        int memory = memoryGb(after);
        if (memory == memoryGb(before)) {
            return;
        }
        Table<UsageSpan> spans = tables.of(UsageSpan.KIND);
        end(spans, after, now);
        if (memory > 0) {
            meter(tables, after, now);
            forgetOldest(spans, after, now);
            spans.insert(UsageSpan.begun(tables.newId(now), after.id(), memory, now));
        }
    }

    /** The memory that it is sure to have: replicas and their memory at the lower end. */
    private static int memoryGb(Service service) {
        return service.seen().condition() == Condition.RUNNING
                ? service.scalingNow().lowestReplicas() * service.scalingNow().minReplicaMemoryGb()
                : 0;
    }

    private static void end(Table<UsageSpan> spans, Service service, Instant now) {
        for (UsageSpan last : spans.pageBackwards(service.id(), null, 1)) {
            if (last.end() == null) {
                spans.overwrite(last.ended(now));
            }
        }
    }

    private static void forgetOldest(Table<UsageSpan> spans, Service service, Instant now) {
        for (UsageSpan oldest : spans.page(service.id(), null, FORGOTTEN_EACH_TIME)) {
            if (oldest.end() != null && oldest.end().isBefore(now.minus(KEPT))) {
                spans.delete(oldest.id(), oldest.version());
            }
        }
    }

    private static void meter(Tables tables, Service service, Instant now) {
        Table<UsageMeter> meters = tables.of(UsageMeter.KIND);
        if (meters.find(service.id()).isPresent()) {
            return;
        }
        meters.insert(new UsageMeter(
                service.head(),
                service.warehouse().id(),
                service.warehouse().primary(),
                service.name(),
                service.details().tags(),
                List.of(),
                null));
        for (UsageMeter gone : meters.listByLabel(UsageMeter.GONE, FORGOTTEN_EACH_TIME)) {
            if (gone.goneAt() != null && gone.goneAt().isBefore(now.minus(KEPT))) {
                forget(tables, gone);
            }
        }
    }

    /** A meter with more spans than go at once goes another time. */
    private static void forget(Tables tables, UsageMeter gone) {
        List<UsageSpan> spans = tables.of(UsageSpan.KIND).page(gone.id(), null, MAX_SPANS_FORGOTTEN);
        spans.forEach(span -> tables.of(UsageSpan.KIND).delete(span.id(), span.version()));
        if (spans.size() < MAX_SPANS_FORGOTTEN) {
            tables.of(UsageMeter.KIND).delete(gone.id(), gone.version());
        }
    }

    @Override
    public void stored(Tables tables, Service service, long bytes, Instant now) {
        tables.of(UsageMeter.KIND).find(service.id()).ifPresent(meter -> {
            UsageMeter next = meter.with(LocalDate.ofInstant(now, ZoneOffset.UTC), bytes);
            if (!next.equals(meter)) {
                tables.of(UsageMeter.KIND).overwrite(next);
            }
        });
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        end(tables.of(UsageSpan.KIND), service, now);
        tables.of(UsageMeter.KIND)
                .find(service.id())
                .ifPresent(meter -> tables.of(UsageMeter.KIND)
                        .overwrite(meter.gone(service.name(), service.details().tags(), now)));
    }
}
